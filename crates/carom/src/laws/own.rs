//! Laws of one's own: entries made at run time, with the same rights as those of the catalogue.

use super::every;
use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::error::Error;
use crate::law::bound::MAX_PARAMETERS;
use crate::law::{
    Consistency, Fallback, Guarantees, Inapplicable, Kind, Law, Method, OneContact, Parameter, SeveralContacts,
};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// A law of one's own before it is checked. It comes from [`Law::from_fn`], [`Law::of_one_contact`] or
/// [`Law::of_several_contacts`].
pub struct OwnLaw {
    id: String,
    name: String,
    source: String,
    summary: String,
    equations: String,
    caveats: String,
    parameters: Vec<Parameter>,
    guarantees: Guarantees,
    consistency: Option<Consistency>,
    method: OwnMethod,
}

enum OwnMethod {
    OneContact(Box<dyn OneContact>),
    SeveralContacts(Box<dyn SeveralContacts>),
}

/// The impulse of a collision as a function of the collision and the law's values.
struct Impulse<F> {
    function: F,
    /// The place of the coefficient of friction among the parameters.
    friction: Option<usize>,
}

impl<F: Fn(&Collision, &[f64]) -> Vector3<f64> + Send + Sync> OneContact for Impulse<F> {
    fn resolve(
        &self,
        collision: &Collision,
        values: &[f64],
        _history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let impulse = (self.function)(collision, values);
        if !impulse.iter().all(|component| component.is_finite()) {
            return Err(Inapplicable::NotFinite);
        }
        Ok(ContactOutcome::jump(collision, impulse, self.friction.map_or(0.0, |place| values[place])))
    }
}

impl Law {
    /// A law of one's own for one contact from a function that gives the impulse (n, t1, t2) in N s of bodies that approach; the
    /// values are in the order of the parameters and within their bounds. It promises nothing unless
    /// [`OwnLaw::guarantees`] says so.
    ///
    /// ```
    /// use carom::laws::{Law, Parameter};
    /// use nalgebra::Vector3;
    /// let law = Law::from_fn("half-plastic", [Parameter::RESTITUTION], |collision, values| {
    ///     let normal = -collision.velocity().x / collision.inverse_mass()[(0, 0)];
    ///     Vector3::x() * (normal * (1.0 + 0.5 * values[0]))
    /// });
    /// let law = law.into_static().unwrap();
    /// let rod = carom::Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    /// let outcome = law.bind(&[("restitution", 0.8)]).unwrap().resolve_collision(&rod).unwrap();
    /// assert!((outcome.velocity_after.x - 0.4).abs() < 1e-12);
    /// ```
    pub fn from_fn(
        id: impl Into<String>,
        parameters: impl Into<Vec<Parameter>>,
        impulse: impl Fn(&Collision, &[f64]) -> Vector3<f64> + Send + Sync + 'static,
    ) -> OwnLaw {
        let parameters = parameters.into();
        let place = |key: &str| parameters.iter().position(|parameter: &Parameter| parameter.key == key);
        let friction = place("static_friction").or(place("friction"));
        Law::of_one_contact(id, parameters, Impulse { function: impulse, friction })
    }

    /// A law of one's own for one contact.
    pub fn of_one_contact(
        id: impl Into<String>,
        parameters: impl Into<Vec<Parameter>>,
        method: impl OneContact + 'static,
    ) -> OwnLaw {
        OwnLaw::new(id.into(), parameters.into(), OwnMethod::OneContact(Box::new(method)))
    }

    /// A law of one's own for several contacts at once.
    pub fn of_several_contacts(
        id: impl Into<String>,
        parameters: impl Into<Vec<Parameter>>,
        method: impl SeveralContacts + 'static,
    ) -> OwnLaw {
        OwnLaw::new(id.into(), parameters.into(), OwnMethod::SeveralContacts(Box::new(method)))
    }
}

impl OwnLaw {
    fn new(id: String, parameters: Vec<Parameter>, method: OwnMethod) -> OwnLaw {
        OwnLaw {
            name: id.clone(),
            id,
            source: String::new(),
            summary: String::new(),
            equations: String::new(),
            caveats: String::new(),
            parameters,
            guarantees: Guarantees::NONE,
            consistency: None,
            method,
        }
    }

    /// The name the literature uses; without it the id.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> OwnLaw {
        OwnLaw { name: name.into(), ..self }
    }

    /// Where it comes from.
    #[must_use]
    pub fn source(self, source: impl Into<String>) -> OwnLaw {
        OwnLaw { source: source.into(), ..self }
    }

    /// One sentence on what it does.
    #[must_use]
    pub fn summary(self, summary: impl Into<String>) -> OwnLaw {
        OwnLaw { summary: summary.into(), ..self }
    }

    /// Its equations, line by line.
    #[must_use]
    pub fn equations(self, equations: impl Into<String>) -> OwnLaw {
        OwnLaw { equations: equations.into(), ..self }
    }

    /// Where it is known to fail or to surprise.
    #[must_use]
    pub fn caveats(self, caveats: impl Into<String>) -> OwnLaw {
        OwnLaw { caveats: caveats.into(), ..self }
    }

    /// What it promises. An answer that breaks a promise without condition is refused.
    #[must_use]
    pub fn guarantees(self, guarantees: Guarantees) -> OwnLaw {
        OwnLaw { guarantees, ..self }
    }

    /// What the parameters must satisfy together: the sentence and the test.
    #[must_use]
    pub fn consistency(self, expected: &'static str, holds: fn(&[f64]) -> bool) -> OwnLaw {
        OwnLaw { consistency: Some((expected, holds)), ..self }
    }

    /// Checks the entry and makes it a law. Laws live as long as the program, so its memory is never given back: make a law once,
    /// not in a loop.
    pub fn into_static(self) -> Result<&'static Law, Error> {
        self.check()?;
        let leak = |text: String| -> &'static str { text.leak() };
        let method = match self.method {
            OwnMethod::OneContact(method) => Method::OneContact(Box::leak(method)),
            OwnMethod::SeveralContacts(method) => Method::SeveralContacts(Box::leak(method)),
        };
        Ok(Box::leak(Box::new(Law {
            id: leak(self.id),
            name: leak(self.name),
            source: leak(self.source),
            summary: leak(self.summary),
            equations: leak(self.equations),
            caveats: leak(self.caveats),
            parameters: self.parameters.leak(),
            guarantees: self.guarantees,
            consistency: self.consistency,
            method,
        })))
    }

    fn check(&self) -> Result<(), Error> {
        let expect = |holds: bool, key: &str, expected: &'static str| {
            let problem = || Error::InvalidLaw { id: self.id.clone(), key: key.to_owned(), expected };
            if holds { Ok(()) } else { Err(problem()) }
        };
        expect(is_name(&self.id, '-'), "", "an id of lower-case letters and digits, in words joined by `-`")?;
        expect(every().all(|law| law.id != self.id), "", "an id that no law of the catalogue has")?;
        expect(self.parameters.len() <= MAX_PARAMETERS, "", "at most 10 parameters")?;
        for (place, parameter) in self.parameters.iter().enumerate() {
            let key = parameter.key;
            expect(is_name(key, '_'), key, "a key of lower-case letters and digits, in words joined by `_`")?;
            expect(self.parameters[..place].iter().all(|other| other.key != key), key, "a key that no other has")?;
            let bounds = match parameter.kind {
                Kind::Number { least, greatest } => {
                    least <= greatest && least < f64::INFINITY && greatest > f64::NEG_INFINITY
                }
                Kind::Choice(words) => {
                    !words.is_empty() && words.iter().enumerate().all(|(place, word)| !words[..place].contains(word))
                }
            };
            expect(bounds, key, "bounds with at least one finite number between them, or choices that differ")?;
            if let Fallback::Value(value) = parameter.fallback {
                expect(parameter.accepts(value), key, "a default within the bounds")?;
            }
        }
        let default = |parameter: &Parameter| match parameter.fallback {
            Fallback::Value(value) => Some(value),
            Fallback::Derived(_) => Some(f64::NAN),
            Fallback::Required | Fallback::SameAs(_) => None,
        };
        let defaults: Option<Vec<f64>> = self.parameters.iter().map(default).collect();
        match (self.consistency, defaults) {
            (Some((_, holds)), Some(defaults)) => {
                expect(holds(&defaults), "", "defaults that satisfy the condition on the parameters together")
            }
            _ => Ok(()),
        }
    }
}

/// Whether a text is words of lower-case letters and digits with one joiner between each two.
fn is_name(text: &str, joiner: char) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    };
    text.split(joiner).all(is_word)
}
