//! Contacts that hold each other.

use std::fmt;

/// Contacts that wedge: the first of them, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wedge {
    first: [u16; MOST],
    count: u16,
}

/// So many contacts are named.
const MOST: usize = 8;

impl Wedge {
    pub(crate) fn of(contacts: &[usize]) -> Wedge {
        let mut first = [0; MOST];
        for (place, contact) in first.iter_mut().zip(contacts) {
            *place = u16::try_from(*contact).unwrap_or(u16::MAX);
        }
        Wedge { first, count: u16::try_from(contacts.len()).unwrap_or(u16::MAX) }
    }

    /// The contacts of an island as contacts of the whole impact.
    pub(crate) fn about(self, island: &[usize]) -> Wedge {
        let place = |contact: u16| island.get(usize::from(contact)).and_then(|place| u16::try_from(*place).ok());
        Wedge { first: self.first.map(|contact| place(contact).unwrap_or(u16::MAX)), ..self }
    }

    /// The first of them, from 0.
    pub fn contacts(&self) -> impl Iterator<Item = usize> {
        self.first.into_iter().take(self.count()).map(usize::from)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count.into()
    }
}

impl fmt::Display for Wedge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.count().min(MOST);
        write!(f, "contact{}", if self.count() == 1 { "" } else { "s" })?;
        for (place, contact) in self.contacts().enumerate() {
            let before = match place {
                0 => " ",
                _ if place + 1 == self.count() => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}", contact + 1)?;
        }
        if self.count() > named { write!(f, " and {} more", self.count() - named) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_named_from_one() {
        let text = |contacts: &[usize]| Wedge::of(contacts).to_string();
        assert_eq!(text(&[0, 1]), "contacts 1 and 2");
        assert_eq!(text(&[4]), "contact 5");
        assert_eq!(text(&[0, 2, 3]), "contacts 1, 3 and 4");
        assert_eq!(text(&(0..11).collect::<Vec<_>>()), "contacts 1, 2, 3, 4, 5, 6, 7, 8 and 3 more");
        assert_eq!(Wedge::of(&[0, 2]).about(&[3, 5, 9]).to_string(), "contacts 4 and 10");
    }
}
