//! Numbers of a file, each with its place.

use super::fault::{Fault, shown};
use super::schema::{Bounds, Field, Form, Kind, Layout};
use carom::Dimension;
use carom::format::Exact;
use nalgebra::{Matrix3, Vector3};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// No length, mass or speed of a collision is larger; squares and products of numbers below it stay finite.
pub const LARGEST: f64 = 1e30;
/// No positive mass or length is smaller.
pub const SMALLEST: f64 = 1e-30;

/// A number, list or matrix as it stands in the file.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub layout: Layout,
    pub dimension: Option<Dimension>,
    /// Row by row.
    values: Vec<f64>,
    spans: Vec<Range<usize>>,
    /// Of each of them.
    bounds: Bounds,
}

impl Numbers {
    /// Reads a value in one of the forms its field allows.
    pub fn read(field: &Field, forms: &[Form], value: &Spanned<DeValue<'_>>) -> Result<Numbers, Fault> {
        let layout = layout(value.get_ref());
        let Some(form) = forms.iter().find(|form| layout.is_some_and(|given| form.layout.takes(given))) else {
            return Err(wrong_layout(field, value));
        };
        let Form { layout, dimension, bounds } = *form;
        let mut numbers = Numbers { layout, dimension, values: Vec::new(), spans: Vec::new(), bounds };
        numbers.collect(field, value)?;
        Ok(numbers)
    }

    fn collect(&mut self, field: &Field, value: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
        if let DeValue::Array(items) = value.get_ref() {
            return items.iter().try_for_each(|item| self.collect(field, item));
        }
        let number = parse(value.get_ref()).ok_or_else(|| not_a_number(field, value))?;
        check(field, &self.bounds, number, value.span())?;
        self.values.push(number);
        self.spans.push(value.span());
        Ok(())
    }

    /// Where each number stands in the file, row by row.
    pub fn spans(&self) -> &[Range<usize>] {
        &self.spans
    }

    /// Puts another number in the place of one, as if the file had it. Says whether it differs.
    pub fn set(&mut self, field: &Field, place: usize, number: f64) -> Result<bool, Fault> {
        if self.values[place].to_bits() == number.to_bits() {
            return Ok(false);
        }
        check(field, &self.bounds, number, self.spans[place].clone())?;
        self.values[place] = number;
        Ok(true)
    }

    /// All numbers, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The first number: the only one of a single number.
    pub fn first(&self) -> f64 {
        self.values.first().copied().unwrap_or(0.0)
    }

    /// Place of the entry at a row and column of a matrix.
    pub fn entry_span(&self, (row, column): (usize, usize)) -> Option<Range<usize>> {
        match self.layout {
            Layout::Matrix(size) => self.spans.get(row * size + column).cloned(),
            Layout::Square => self.spans.get(row * self.values.len().isqrt() + column).cloned(),
            _ => None,
        }
    }

    /// A list as a vector; a planar one lies in the x–y plane.
    pub fn vector(&self) -> Vector3<f64> {
        Vector3::from_iterator(self.values.iter().copied().chain([0.0; 3]).take(3))
    }

    /// An angular velocity; a single number is about z.
    pub fn spin(&self) -> Vector3<f64> {
        match self.layout {
            Layout::Number => Vector3::z() * self.first(),
            _ => self.vector(),
        }
    }

    /// The numbers as an array, filled up with zeros.
    pub fn array<const N: usize>(&self) -> [f64; N] {
        let mut array = [0.0; N];
        for (slot, value) in array.iter_mut().zip(&self.values) {
            *slot = *value;
        }
        array
    }

    /// Rows of this many numbers each.
    pub fn rows<const N: usize>(&self) -> Vec<[f64; N]> {
        let row = |row: &[f64]| std::array::from_fn(|k| row.get(k).copied().unwrap_or(0.0));
        self.values.chunks(N).map(row).collect()
    }

    /// A 3×3 matrix, or a diagonal one from a list.
    pub fn matrix(&self) -> Matrix3<f64> {
        match self.layout {
            Layout::Matrix(3) => Matrix3::from_row_slice(&self.array::<9>()),
            _ => Matrix3::from_diagonal(&self.vector()),
        }
    }
}

/// How the numbers of a value are arranged; `None` if ragged or no numbers at all. What the innermost values are is
/// not looked at, so that a misplaced string is reported at its own place.
fn layout(value: &DeValue<'_>) -> Option<Layout> {
    match value {
        DeValue::Integer(_) | DeValue::Float(_) => Some(Layout::Number),
        DeValue::Array(rows) if rows.iter().any(|row| row.get_ref().is_array()) => {
            let columns = rows.first()?.get_ref().as_array()?.len();
            let even = rows.iter().all(|row| {
                row.get_ref()
                    .as_array()
                    .is_some_and(|row| row.len() == columns && row.iter().all(|entry| !entry.get_ref().is_array()))
            });
            let layout =
                if rows.len() == columns { Layout::Matrix(columns) } else { Layout::Rectangle(rows.len(), columns) };
            even.then_some(layout)
        }
        DeValue::Array(items) => Some(Layout::List(items.len())),
        _ => None,
    }
}

fn parse(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
        // More than 128 bits are a number too large to be meant, which infinity is refused as.
        DeValue::Integer(integer) => {
            Some(u128::from_str_radix(integer.as_str(), integer.radix()).map_or(f64::INFINITY, |bits| bits as f64))
        }
        _ => None,
    }
}

fn check(field: &Field, bounds: &Bounds, number: f64, span: Range<usize>) -> Result<(), Fault> {
    let key = field.key;
    if number.is_nan() {
        return Err(Fault::at(span, format!("`{key}` is not a number")).label(format!("expected {}", one(bounds))));
    }
    if number == f64::INFINITY && bounds.greatest == f64::INFINITY && is_friction(key) {
        return Ok(());
    }
    if number.abs() > LARGEST {
        let amount = if number.is_finite() { "absurdly large" } else { "infinite or far too large" };
        return Err(Fault::at(span, format!("`{key}` is {amount}"))
            .label(format!("expected {}, {LARGEST:e} at most", one(bounds))));
    }
    if !bounds.contain(number) {
        return Err(Fault::at(span, format!("`{key}` is {}", Exact(number)))
            .label(format!("expected {}", one(bounds)))
            .help(about(field)));
    }
    if bounds.above && number - bounds.least < SMALLEST {
        return Err(Fault::at(span, format!("`{key}` is absurdly small"))
            .label(format!("expected a number of at least {SMALLEST:e}")));
    }
    Ok(())
}

/// What a number of a file may be, wherever it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    field: &'static Field,
    bounds: Bounds,
}

impl Limits {
    /// Those of a single number below a key, or of the elements of a list; nothing where they depend on more than that.
    pub(crate) fn of(field: &'static Field, of_list: bool) -> Option<Limits> {
        let Kind::Numbers(forms) = &field.kind else { return None };
        let mut bounds = forms.iter().filter(|form| (form.layout != Layout::Number) == of_list).map(|form| form.bounds);
        let first = bounds.next()?;
        bounds.all(|other| other == first).then_some(Limits { field, bounds: first })
    }

    /// Whether the reader takes a number.
    pub(crate) fn take(&self, number: f64) -> bool {
        check(self.field, &self.bounds, number, 0..0).is_ok()
    }
}

/// Whether the greatest entries of the inverse mass and of the velocity of a contact leave products in the range of floating point.
pub(crate) fn are_sensible(mass: f64, speed: f64) -> bool {
    (SMALLEST..=LARGEST).contains(&mass) && (speed == 0.0 || (SMALLEST..=LARGEST).contains(&speed))
}

/// Friction may be infinite where its bounds are; the law says whether it has a limit there.
pub(super) fn is_friction(key: &str) -> bool {
    matches!(key, "friction" | "static_friction" | "kinetic_friction")
}

fn one(bounds: &Bounds) -> String {
    format!("a number{}", bounds.words())
}

fn not_a_number(field: &Field, value: &Spanned<DeValue<'_>>) -> Fault {
    Fault::at(value.span(), format!("`{}` holds {}", field.key, described(value.get_ref()))).label("expected a number")
}

fn wrong_layout(field: &Field, value: &Spanned<DeValue<'_>>) -> Fault {
    Fault::at(value.span(), format!("`{}` is {}", field.key, described(value.get_ref())))
        .label(format!("expected {}", field.kind.words()))
        .help(about(field))
}

/// The key and its sentence of the reference.
pub(super) fn about(field: &Field) -> String {
    let unit = if field.unit.is_empty() { String::new() } else { format!(" Unit: {}.", field.unit) };
    format!("`{}`: {}{unit}", field.key, field.doc)
}

/// A value of the file in a few words.
pub(crate) fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string {}", shown(text)),
        DeValue::Integer(_) | DeValue::Float(_) => "a number".to_owned(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        DeValue::Array(items) => match (layout(value), items.len()) {
            (_, 0) => "an empty list".to_owned(),
            (Some(Layout::Matrix(size)), _) => format!("{size} rows of {size}"),
            (Some(Layout::Rectangle(rows, columns)), _) => format!("{rows} rows of {columns}"),
            (Some(_), 1) => "a list of 1".to_owned(),
            (Some(_), length) => format!("a list of {length}"),
            (None, _) => "a list whose rows have different lengths".to_owned(),
        },
    }
}
