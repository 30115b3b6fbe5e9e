//! Values of a plan, each read with its place.

use crate::scenario::{Fault, listed, nearest, shown};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Numbers are whole, and counted without rounding, up to here.
pub(super) const MOST_COUNT: f64 = 9e15;

/// A key and its value.
pub(super) type Entry<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

pub(super) fn in_order<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

pub(super) fn wrong(value: &Spanned<DeValue<'_>>, key: &str, expected: &str) -> Fault {
    let found = crate::scenario::described(value.get_ref());
    Fault::at(value.span(), format!("{} is {found}", shown(key))).label(format!("expected {expected}"))
}

pub(super) fn string<'a>(value: &'a Spanned<DeValue<'a>>, key: &str) -> Result<&'a str, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err(wrong(value, key, "a string")),
    }
}

pub(super) fn array<'a>(value: &'a Spanned<DeValue<'a>>, key: &str) -> Result<&'a [Spanned<DeValue<'a>>], Fault> {
    match value.get_ref() {
        DeValue::Array(items) => Ok(items),
        _ => Err(wrong(value, key, "a list")),
    }
}

pub(super) fn number(value: &Spanned<DeValue<'_>>, key: &str) -> Result<f64, Fault> {
    let number: Option<f64> = match value.get_ref() {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
        _ => return Err(wrong(value, key, "a number")),
    };
    match number {
        Some(number) if !number.is_nan() => Ok(number),
        _ => Err(Fault::at(value.span(), format!("{} is not a number", shown(key))).label("expected a number")),
    }
}

/// A list of numbers; all are finite.
pub(super) fn numbers(value: &Spanned<DeValue<'_>>, key: &str, length: usize, what: &str) -> Result<Vec<f64>, Fault> {
    let items = array(value, key)?;
    if items.len() != length {
        return Err(Fault::at(value.span(), format!("{} has {} numbers", shown(key), items.len()))
            .label(format!("expected {length}: {what}")));
    }
    let finite = |item: &Spanned<DeValue<'_>>| {
        let given = number(item, key)?;
        if given.is_finite() { Ok(given) } else { Err(Fault::at(item.span(), format!("{} is infinite", shown(key)))) }
    };
    items.iter().map(finite).collect()
}

pub(super) fn count(value: &Spanned<DeValue<'_>>, key: &str, least: u64) -> Result<u64, Fault> {
    let given = number(value, key)?;
    if given < least as f64 || given.fract() != 0.0 || given > MOST_COUNT {
        return Err(Fault::at(value.span(), format!("`{key}` is {given}"))
            .label(format!("expected a whole number of at least {least}")));
    }
    Ok(given as u64)
}

/// A seed: any whole number that TOML has, to its last digit.
pub(super) fn read_seed(value: &Spanned<DeValue<'_>>) -> Result<u64, Fault> {
    let seed = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse::<i64>().ok(),
        _ => return Err(wrong(value, "seed", "a whole number")),
    };
    seed.and_then(|seed| seed.try_into().ok()).ok_or_else(|| {
        Fault::at(value.span(), "`seed` is out of range")
            .label(format!("expected a whole number from 0 to {}", i64::MAX))
    })
}

pub(super) fn word(value: &Spanned<DeValue<'_>>, key: &str, words: &[&str]) -> Result<usize, Fault> {
    let text = string(value, key)?;
    words
        .iter()
        .position(|word| *word == text)
        .ok_or_else(|| unknown_word(value.span(), &format!("`{key}`"), text, words))
}

pub(super) fn unknown_word(span: Range<usize>, what: &str, text: &str, words: &[&str]) -> Fault {
    let fault = Fault::at(span, format!("there is no {what} {}", shown(text)));
    match nearest(text, words.iter().copied()) {
        Some(near) => fault.label(format!("did you mean {}?", shown(near))),
        None => fault.label(format!("expected one of {}", listed(words.iter().copied().take(12)))),
    }
}

pub(super) fn unknown(key: &Spanned<std::borrow::Cow<'_, str>>, place: &str, known: &[&str]) -> Fault {
    let fault = Fault::at(key.span(), format!("unknown key {} in {place}", shown(key.get_ref())));
    match nearest(key.get_ref(), known.iter().copied()) {
        Some(near) => fault.label(format!("did you mean `{near}`?")),
        None => fault.label("not a key of it").help(format!("known keys: {}", listed(known.iter().copied()))),
    }
}
