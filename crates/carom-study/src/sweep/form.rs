//! How the values at a place of the scenario follow from the variables.

use exmex::{Express, FlatEx};
use std::fmt;

/// A number that follows from the variables of a row.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Constant(f64),
    Variable(usize),
    Expression(Box<Expression>),
}

/// The values at a place.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// One value.
    Single(Operand),
    /// A list, one operand for each element.
    List(Vec<Operand>),
    /// A vector by its length and its direction, in degrees.
    Polar(Box<Polar>),
}

/// A vector by its length, its angle from the first axis, and in space its azimuth.
#[derive(Clone, Debug)]
pub(super) struct Polar {
    pub(super) speed: Operand,
    /// Degrees: in the plane from the first axis to the second, in space the elevation above the plane of the first two.
    pub(super) angle: Operand,
    /// Degrees, from the first axis to the second; in space only.
    pub(super) azimuth: Option<Operand>,
}

/// A formula.
#[derive(Clone)]
pub(super) struct Expression {
    text: String,
    formula: FlatEx<f64>,
    /// The variables, in the order of the formula's names.
    variables: Vec<usize>,
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Expression {
    /// Reads a formula of the variables with these names; an error says what is wrong.
    pub(super) fn parse(text: &str, names: &[&str]) -> Result<Expression, String> {
        let plain = without_exponents(text);
        check_powers(&plain)?;
        let formula: FlatEx<f64> = exmex::parse(&plain).map_err(|error| format!("this is no formula: {error}"))?;
        let variables: Result<Vec<usize>, String> = formula
            .var_names()
            .iter()
            .map(|name| {
                names.iter().position(|known| known == name).ok_or_else(|| {
                    let known = names.iter().filter(|name| !name.is_empty());
                    let known = known.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    let known = if known.is_empty() { "there are none".to_owned() } else { known };
                    format!("there is no variable `{name}` (known: {known})")
                })
            })
            .collect();
        Ok(Expression { text: text.to_owned(), variables: variables?, formula })
    }

    /// The variables that it needs.
    pub(super) fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// Its value, from those of all variables.
    pub(super) fn value(&self, row: &[f64]) -> f64 {
        self.formula.eval_iter(self.variables.iter().map(|variable| row[*variable])).unwrap_or(f64::NAN)
    }
}

/// The same formula with numbers such as `1e-3` written in full, of which the parser takes the `e` for the constant.
fn without_exponents(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut plain = String::with_capacity(text.len());
    let mut k = 0;
    while k < letters.len() {
        // A number begins with a digit or a dot that no name comes before.
        let begins = letters[k].is_ascii_digit() || letters[k] == '.';
        if !begins || (k > 0 && (letters[k - 1].is_alphanumeric() || letters[k - 1] == '_')) {
            plain.push(letters[k]);
            k += 1;
            continue;
        }
        let digits = |from: usize| from + letters[from..].iter().take_while(|c| c.is_ascii_digit()).count();
        let mut end = digits(k);
        if letters.get(end) == Some(&'.') {
            end = digits(end + 1);
        }
        let mantissa = end;
        if matches!(letters.get(end), Some('e' | 'E')) {
            let signed = end + 1 + usize::from(matches!(letters.get(end + 1), Some('+' | '-')));
            if digits(signed) > signed {
                end = digits(signed);
            }
        }
        let number: String = letters[k..end].iter().collect();
        match number.parse::<f64>() {
            Ok(value) if end > mantissa && value.is_finite() => plain += &value.to_string(),
            _ => plain += &number,
        }
        k = end.max(k + 1);
    }
    plain
}

/// Refuses powers whose order people and programs read differently: −x^2 and a^b^c.
fn check_powers(text: &str) -> Result<(), String> {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    // The end of the operand that begins at a place: signs, a name or number, and parentheses after it.
    let end = |from: usize| {
        let mut k = from;
        while k < letters.len() && matches!(letters[k], '+' | '-') {
            k += 1;
        }
        while k < letters.len() && (letters[k].is_alphanumeric() || matches!(letters[k], '_' | '.')) {
            k += 1;
        }
        if letters.get(k) == Some(&'(') {
            let mut depth = 0;
            while k < letters.len() {
                depth += i32::from(letters[k] == '(') - i32::from(letters[k] == ')');
                k += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        k
    };
    for k in 0..letters.len() {
        let starts = k == 0 || matches!(letters[k - 1], '(' | ',' | '+' | '-' | '*' | '/' | '^');
        if matches!(letters[k], '+' | '-') && starts && letters.get(end(k)) == Some(&'^') {
            return Err("a sign stands before a power; expected parentheses, as in -(x^2) or (-x)^2".to_owned());
        }
        if letters[k] == '^' && letters.get(end(k + 1)) == Some(&'^') {
            return Err("a power has a power; expected parentheses, as in (a^b)^c or a^(b^c)".to_owned());
        }
    }
    Ok(())
}

impl Operand {
    /// The number in a row, whose variables have these values.
    pub(super) fn value(&self, row: &[f64]) -> f64 {
        match self {
            Operand::Constant(value) => *value,
            Operand::Variable(variable) => row[*variable],
            Operand::Expression(expression) => expression.value(row),
        }
    }
}

impl Form {
    /// The length of the list; `None` for a single value.
    pub(super) fn length(&self) -> Option<usize> {
        match self {
            Form::Single(_) => None,
            Form::List(list) => Some(list.len()),
            Form::Polar(polar) => Some(if polar.azimuth.is_some() { 3 } else { 2 }),
        }
    }

    /// How many numbers it gives.
    pub(super) fn numbers(&self) -> usize {
        self.length().unwrap_or(1)
    }

    /// Its numbers in every row, from the columns of the variables.
    pub(super) fn fill_columns(&self, variables: &[Vec<f64>], rows: usize, columns: &mut [Vec<f64>]) {
        for column in columns.iter_mut() {
            column.clear();
        }
        match self {
            Form::Single(Operand::Variable(variable)) => columns[0].extend_from_slice(&variables[*variable]),
            Form::Single(Operand::Constant(value)) => columns[0].resize(rows, *value),
            _ => {
                let mut numbers = vec![0.0; columns.len()];
                let mut row = vec![0.0; variables.len()];
                for k in 0..rows {
                    for (value, column) in row.iter_mut().zip(variables) {
                        *value = column[k];
                    }
                    self.fill(&row, &mut numbers);
                    for (column, number) in columns.iter_mut().zip(&numbers) {
                        column.push(*number);
                    }
                }
            }
        }
    }

    /// Its numbers in a row.
    pub(super) fn fill(&self, row: &[f64], numbers: &mut [f64]) {
        match self {
            Form::Single(operand) => numbers[0] = operand.value(row),
            Form::List(list) => {
                for (slot, operand) in numbers.iter_mut().zip(list) {
                    *slot = operand.value(row);
                }
            }
            Form::Polar(polar) => {
                let speed = polar.speed.value(row);
                let (sin, cos) = turn(polar.angle.value(row));
                match &polar.azimuth {
                    None => numbers.copy_from_slice(&[speed * cos, speed * sin]),
                    Some(azimuth) => {
                        let (sideways, forward) = turn(azimuth.value(row));
                        numbers.copy_from_slice(&[speed * cos * forward, speed * cos * sideways, speed * sin]);
                    }
                }
            }
        }
    }
}

/// Sine and cosine of an angle in degrees; exact at right angles.
fn turn(degrees: f64) -> (f64, f64) {
    let quarters = degrees / 90.0;
    if quarters.fract() == 0.0 && quarters.abs() < 1e15 {
        [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4.0) as usize]
    } else {
        degrees.to_radians().sin_cos()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn right_angles_turn_exactly() {
        for (degrees, expected) in [(0.0, (0.0, 1.0)), (90.0, (1.0, 0.0)), (-90.0, (-1.0, 0.0)), (540.0, (0.0, -1.0))] {
            assert_eq!(turn(degrees), expected);
        }
        let (sin, cos) = turn(30.0);
        assert!((sin - 0.5).abs() < 1e-15 && (cos - 0.75_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn formulas_take_variables_by_name() {
        let formula = Expression::parse("b - 2*a + sin(PI/2)", &["a", "b"]).unwrap();
        assert!((formula.value(&[1.0, 5.0]) - 4.0).abs() < 1e-15);
        assert!(Expression::parse("a + c", &["a", "b"]).unwrap_err().contains("no variable `c`"));
        assert!(Expression::parse("a + (", &["a"]).is_err());
        for (text, value) in [
            ("1e-3", 1e-3),
            ("2 * a^2 * 1.5E+2", 2.0 * 9.0 * 150.0),
            (".5e1 + 1e0*e", 5.0 + std::f64::consts::E),
            ("1e300/1e299", 10.0),
            ("a1e2 + 3.e1", 30.25),
            ("-(2e-1^2)", -0.04),
        ] {
            let found = Expression::parse(text, &["a", "a1e2"]).unwrap().value(&[3.0, 0.25]);
            assert!((found - value).abs() <= 1e-15 * value.abs(), "{text}: {found}");
        }
        for text in ["-a^2", "2*-a^2", "-sin(a)^2", "(-(a+1)^2)", "2^a^2"] {
            assert!(Expression::parse(text, &["a"]).unwrap_err().contains("parentheses"), "{text}");
        }
        for (text, value) in
            [("1-a^2", -8.0), ("-(a^2)", -9.0), ("(-a)^2", 9.0), ("2^(a^2)", 512.0), ("a^-1", 1.0 / 3.0)]
        {
            assert_eq!(Expression::parse(text, &["a"]).unwrap().value(&[3.0]), value, "{text}");
        }
    }

    #[test]
    fn a_polar_vector_has_its_length_and_direction() {
        let operand = Operand::Constant;
        let mut v = [0.0; 3];
        let polar = Polar { speed: operand(2.0), angle: operand(30.0), azimuth: Some(operand(90.0)) };
        Form::Polar(Box::new(polar)).fill(&[], &mut v);
        assert!(v[0] == 0.0 && (v[1] - 3_f64.sqrt()).abs() < 1e-15 && (v[2] - 1.0).abs() < 1e-15);
    }
}
