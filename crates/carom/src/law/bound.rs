//! A law with values for its parameters: at one contact or at every contact of an impact.

use super::check::{check_solution, verify, verify_several};
use super::method::{Method, Posed, SeveralContacts};
use super::parameter::Fallback;
use super::{Inapplicable, Law};
use crate::collision::Collision;
use crate::cone_edge::ROUGH;
use crate::course::{Clock, ContactHistory, History, IslandHistory};
use crate::dimension::Dimension;
use crate::error::Error;
use crate::impact::Impact;
use crate::outcome::{ContactOutcome, Outcome, Solution};

/// No law has more parameters.
pub(crate) const MAX_PARAMETERS: usize = 10;

/// The parameter of a law for several contacts that names the law of its single impacts.
pub(crate) const SINGLE_LAW: &str = "single_law";

/// The values of a law's parameters at one contact, in their order.
type Values = [f64; MAX_PARAMETERS];

/// A law with values for all its parameters at every contact: ready to resolve any number of problems with that number of
/// contacts. Bound for one contact it resolves a [`Collision`] without allocation.
#[derive(Clone, Debug)]
pub struct BoundLaw {
    law: &'static Law,
    contacts: usize,
    /// At the first contact; nothing is allocated where there is no other.
    first: Values,
    others: Vec<Values>,
    /// The single law of each contact, for a law that resolves them one by one.
    singles: Vec<BoundLaw>,
}

/// Refuses a coefficient of friction that no contact has, for laws that do not use it too.
pub(crate) fn check_friction(value: f64) -> Result<(), Error> {
    if value >= 0.0 {
        return Ok(());
    }
    Err(Error::OutOfRange { what: "friction", value, expected: "a number of at least 0, or inf" })
}

impl Law {
    /// Binds parameters for one contact, given by key. Keys the law does not know are an error; use [`Law::bind_from`] to pick
    /// from a larger set.
    ///
    /// ```
    /// let rod = carom::Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    /// let law = carom::laws::find("routh-poisson").unwrap();
    /// let bound = law.bind(&[("restitution", 0.9), ("friction", 0.8)]).unwrap();
    /// let outcome = bound.resolve_collision(&rod).unwrap();
    /// assert!((outcome.impulse.x - 0.76).abs() < 1e-12);
    /// ```
    pub fn bind(&'static self, values: &[(&str, f64)]) -> Result<BoundLaw, Error> {
        for (place, (key, _)) in values.iter().enumerate() {
            if values[..place].iter().any(|(other, _)| other == key) {
                return Err(Error::RepeatedParameter { law: self.id, key: (*key).to_owned() });
            }
            if *key != "friction" && !self.takes(key) {
                return Err(Error::UnknownParameter { law: self.id, key: (*key).to_owned() });
            }
        }
        if let Some((_, friction)) = values.iter().find(|(key, _)| *key == "friction") {
            check_friction(*friction)?;
        }
        self.bind_from(|key| values.iter().find(|(k, _)| *k == key).map(|(_, value)| *value))
    }

    /// Binds parameters for one contact by looking each key up.
    pub fn bind_from(&'static self, lookup: impl Fn(&str) -> Option<f64>) -> Result<BoundLaw, Error> {
        self.bind_values(1, &|_, key| lookup(key))
    }

    /// Binds parameters for the contacts of an impact by looking each key up for every contact. A parameter of the law as a
    /// whole is looked up for the first.
    ///
    /// ```
    /// use carom::{impact::Impact, laws};
    /// let w = nalgebra::DMatrix::from_row_slice(4, 4, &[1., 0., 0., 1., 0., 3., -1., 2., 0., -1., 1., 0., 1., 2., 0., 3.]);
    /// let corner = Impact::new(&w, &nalgebra::DVector::from_vec(vec![-4.43, 8.0, -8.0, -4.43]), true).unwrap();
    /// let law = laws::find("newton-lcp").unwrap();
    /// let bound = law.bind_contacts(2, |contact, key| Some(if key == "friction" { 0.1 } else { [0.5, 0.7][contact] })).unwrap();
    /// let outcome = bound.resolve(&corner).unwrap();
    /// assert!(outcome.contacts[1].velocity_after.x > 0.7 * 8.0 - 1e-9);
    /// ```
    pub fn bind_contacts(
        &'static self,
        contacts: usize,
        lookup: impl Fn(usize, &str) -> Option<f64>,
    ) -> Result<BoundLaw, Error> {
        self.bind_by(contacts, &lookup)
    }

    /// The same, of one type for every lookup, since a law binds the law of its single impacts by its own lookup.
    fn bind_by(&'static self, contacts: usize, lookup: &dyn Fn(usize, &str) -> Option<f64>) -> Result<BoundLaw, Error> {
        let bound = self.bind_values(contacts, lookup)?;
        let place = self.parameters.iter().position(|parameter| parameter.key == SINGLE_LAW);
        let single = match (self.method, place) {
            (Method::SeveralContacts(method), Some(place)) => method.single_laws().get(bound.first[place] as usize),
            _ => None,
        };
        match single {
            Some(single) => bound.one_by_one(single, lookup),
            None => Ok(bound),
        }
    }

    /// Binds parameters without the laws of single impacts.
    pub(crate) fn bind_values(
        &'static self,
        contacts: usize,
        lookup: &dyn Fn(usize, &str) -> Option<f64>,
    ) -> Result<BoundLaw, Error> {
        let values = |contact: usize| self.values_from(&|key| lookup(contact, key));
        let first = if contacts == 0 { [0.0; MAX_PARAMETERS] } else { values(0)? };
        let others = (1..contacts).map(values).collect::<Result<_, _>>()?;
        Ok(BoundLaw { law: self, contacts, first, others, singles: Vec::new() })
    }

    /// The values at one contact.
    fn values_from(&self, lookup: &dyn Fn(&str) -> Option<f64>) -> Result<Values, Error> {
        debug_assert!(self.parameters.len() <= MAX_PARAMETERS);
        let mut values = [0.0; MAX_PARAMETERS];
        for (slot, parameter) in values.iter_mut().zip(self.parameters) {
            let missing = Error::MissingParameter { law: self.id, key: parameter.key };
            if let (None, Fallback::Derived(_)) = (lookup(parameter.key), parameter.fallback) {
                *slot = f64::NAN;
                continue;
            }
            *slot = match (lookup(parameter.key), parameter.fallback) {
                (Some(value), _) | (None, Fallback::Value(value)) => value,
                (None, Fallback::SameAs(other)) => lookup(other).ok_or(missing)?,
                (None, Fallback::Required | Fallback::Derived(_)) => return Err(missing),
            };
            if !parameter.accepts(*slot) {
                return Err(Error::OutOfRange { what: parameter.key, value: *slot, expected: parameter.expectation() });
            }
        }
        match self.consistency {
            Some((expected, holds)) if !holds(&values[..self.parameters.len()]) => {
                Err(Error::InconsistentParameters { law: self.id, expected })
            }
            _ => Ok(values),
        }
    }

    /// The outcome of one contact by the values of a typed law for one contact, in the order of the parameters.
    pub(crate) fn resolve_values(&self, values: &[f64], collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let mut finite_values = [0.0; MAX_PARAMETERS];
        for (finite_value, value) in finite_values.iter_mut().zip(values) {
            *finite_value = finite(*value);
        }
        self.check_and_resolve(values, collision, || match self.method {
            Method::OneContact(method) => method.resolve(collision, &finite_values[..values.len()], None),
            Method::SeveralContacts(_) => Err(Inapplicable::SeveralContacts),
        })
    }

    /// The same for a typed law with more than its parameters say.
    pub(crate) fn check_and_resolve(
        &self,
        values: &[f64],
        collision: &Collision,
        resolve: impl FnOnce() -> Result<ContactOutcome, Inapplicable>,
    ) -> Result<ContactOutcome, Inapplicable> {
        self.check_values(values)?;
        let mut resolved = resolve();
        if let Ok(outcome) = &resolved
            && let Err(why) = verify(self, values, collision, outcome)
        {
            resolved = Err(why);
        }
        resolved
    }

    /// Checks values in the order of the parameters, as the fields of a typed law give them; NaN stands for a value that the
    /// law works out.
    pub(crate) fn check_values(&self, values: &[f64]) -> Result<(), Inapplicable> {
        for (parameter, value) in self.parameters.iter().zip(values) {
            let worked_out = value.is_nan() && matches!(parameter.fallback, Fallback::Derived(_));
            if !worked_out && !parameter.accepts(*value) {
                let expected = parameter.expectation();
                return Err(Inapplicable::Parameter { key: parameter.key, value: *value, expected });
            }
        }
        match self.consistency {
            Some((expected, holds)) if !holds(values) => Err(Inapplicable::Parameters { expected }),
            _ => Ok(()),
        }
    }
}

/// What a kernel computes with in place of an infinite coefficient of friction.
pub(crate) fn finite(value: f64) -> f64 {
    if value == f64::INFINITY { ROUGH } else { value }
}

impl BoundLaw {
    /// A law with the values of a typed one: of every parameter the values at all contacts.
    pub(crate) fn typed(law: &'static Law, contacts: usize, columns: &[&[f64]]) -> Result<BoundLaw, Inapplicable> {
        for column in columns {
            if column.len() != contacts {
                return Err(Inapplicable::OtherContacts { bound: column.len(), given: contacts });
            }
        }
        let values = |contact: usize| {
            let mut values = [0.0; MAX_PARAMETERS];
            for (value, column) in values.iter_mut().zip(columns) {
                *value = column[contact];
            }
            law.check_values(&values[..law.parameters.len()])?;
            Ok(values)
        };
        let first = if contacts == 0 { [0.0; MAX_PARAMETERS] } else { values(0)? };
        let others = (1..contacts).map(values).collect::<Result<_, Inapplicable>>()?;
        Ok(BoundLaw { law, contacts, first, others, singles: Vec::new() })
    }

    /// The same with this law for every single impact.
    pub(crate) fn one_by_one(
        mut self,
        single: &'static Law,
        lookup: &dyn Fn(usize, &str) -> Option<f64>,
    ) -> Result<BoundLaw, Error> {
        let bind = |contact: usize| single.bind_by(1, &|_, key| lookup(contact, key));
        self.singles = (0..self.contacts).map(bind).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The law.
    pub fn law(&self) -> &'static Law {
        self.law
    }

    /// The number of contacts it was bound for.
    pub fn contacts(&self) -> usize {
        self.contacts
    }

    /// The values at a contact, in the order of the law's parameters; empty for a contact it was not bound for.
    pub fn values(&self, contact: usize) -> &[f64] {
        let values = if contact == 0 && self.contacts > 0 {
            Some(&self.first)
        } else {
            self.others.get(contact.wrapping_sub(1))
        };
        values.map_or(&[], |values| &values[..self.law.parameters.len()])
    }

    /// The law of the single impacts at each contact, for a law that resolves contacts one by one; else empty.
    pub fn singles(&self) -> &[BoundLaw] {
        &self.singles
    }

    /// The value of a parameter that belongs to the law as a whole, by its place in the law's list.
    pub(crate) fn whole(&self, parameter: usize) -> f64 {
        self.at(parameter, 0)
    }

    /// The value of a parameter at a contact, by its key; NaN for one that the law works out.
    pub fn parameter(&self, contact: usize, key: &str) -> Option<f64> {
        let place = self.law.parameters.iter().position(|parameter| parameter.key == key)?;
        self.values(contact).get(place).copied()
    }

    /// The value of a parameter at a contact, a finite one.
    pub(crate) fn at(&self, parameter: usize, contact: usize) -> f64 {
        finite(self.values(contact)[parameter])
    }

    /// The values of a parameter at all contacts, finite ones.
    pub(crate) fn column(&self, parameter: usize) -> Vec<f64> {
        (0..self.contacts).map(|contact| self.at(parameter, contact)).collect()
    }

    /// The coefficient of friction at a contact; the larger where there are two, zero for a law without friction.
    pub fn friction(&self, contact: usize) -> f64 {
        match self.singles.get(contact) {
            Some(single) => single.friction(0),
            None => self.law.friction(self.values(contact)),
        }
    }

    /// The same for some of the contacts.
    fn restricted(&self, keep: &[usize]) -> BoundLaw {
        let values = |contact: usize| if contact == 0 { self.first } else { self.others[contact - 1] };
        let mut kept = keep.iter().map(|contact| values(*contact));
        BoundLaw {
            law: self.law,
            contacts: keep.len(),
            first: kept.next().unwrap_or([0.0; MAX_PARAMETERS]),
            others: kept.collect(),
            singles: keep.iter().filter_map(|contact| self.singles.get(*contact).cloned()).collect(),
        }
    }

    /// The outcome of an impact. A law for one contact resolves every island of one contact, and refuses islands of several. By
    /// a law for several contacts, islands in which nothing approaches get no impulse. An answer that rounding has spoilt, so
    /// that it misses the law's own equations, is refused.
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        self.solve(impact, None)
    }

    /// The same, with the course of every island if the law follows it.
    pub fn follow(&self, impact: &Impact) -> Result<(Outcome, Vec<History>), Inapplicable> {
        let mut histories = Vec::new();
        let outcome = self.solve(impact, Some(&mut histories))?;
        Ok((outcome, histories))
    }

    /// The outcome of one contact. Bodies that do not approach get no impulse. An answer that rounding has spoilt, so that it
    /// misses the law's own equations, is refused.
    pub fn resolve_collision(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        self.expect_contacts(1)?;
        self.solve_one(0, collision, None)
    }

    /// The same, with the course of the collision; `None` for a law that jumps from before to after.
    pub fn follow_collision(
        &self,
        collision: &Collision,
    ) -> Result<(ContactOutcome, Option<ContactHistory>), Inapplicable> {
        self.expect_contacts(1)?;
        self.follow_one(0, collision)
    }

    fn expect_contacts(&self, given: usize) -> Result<(), Inapplicable> {
        if self.contacts == given { Ok(()) } else { Err(Inapplicable::OtherContacts { bound: self.contacts, given }) }
    }

    fn solve(&self, impact: &Impact, histories: Option<&mut Vec<History>>) -> Result<Outcome, Inapplicable> {
        self.expect_contacts(impact.contacts())?;
        match self.law.method {
            Method::OneContact(_) => self.solve_one_by_one(impact, histories),
            Method::SeveralContacts(method) => {
                if self.applies_another_law() && self.singles.len() != self.contacts {
                    return Err(Inapplicable::OneContact);
                }
                self.solve_islands(impact, method, histories)
            }
        }
    }

    /// Whether the law resolves contacts one by one, each by another law.
    fn applies_another_law(&self) -> bool {
        matches!(self.law.method, Method::SeveralContacts(method) if !method.single_laws().is_empty())
    }

    /// Every contact by itself.
    fn solve_one_by_one(
        &self,
        impact: &Impact,
        mut histories: Option<&mut Vec<History>>,
    ) -> Result<Outcome, Inapplicable> {
        if impact.islands().iter().any(|island| island.len() > 1) {
            return Err(Inapplicable::SeveralContacts);
        }
        let mut contacts = Vec::with_capacity(impact.contacts());
        for contact in 0..impact.contacts() {
            let collision = impact.collision(contact).map_err(|_| Inapplicable::NoSolution)?;
            let outcome = match histories.as_deref_mut() {
                None => self.solve_one(contact, &collision, None)?,
                Some(histories) => {
                    let (outcome, history) = self.follow_one(contact, &collision)?;
                    histories.extend(history.map(|history| History::Contact { contact, history }));
                    outcome
                }
            };
            contacts.push(outcome);
        }
        Ok(Outcome::of_contacts(contacts))
    }

    fn follow_one(
        &self,
        contact: usize,
        collision: &Collision,
    ) -> Result<(ContactOutcome, Option<ContactHistory>), Inapplicable> {
        let follows = matches!(self.law.method, Method::OneContact(method) if method.clock().is_some());
        let mut history = follows.then(ContactHistory::default);
        let outcome = self.solve_one(contact, collision, history.as_mut())?;
        Ok((outcome, history))
    }

    /// One contact, with the values of this contact.
    fn solve_one(
        &self,
        contact: usize,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let values = &self.finite_values(contact)[..self.law.parameters.len()];
        // An outcome is large: it is checked where it will be returned.
        let mut resolved = match self.law.method {
            Method::OneContact(method) => method.resolve(collision, values, history),
            Method::SeveralContacts(method) => self.solve_alone(contact, collision, values, method),
        };
        if let Ok(outcome) = &resolved
            && let Err(why) = verify(self.law, values, collision, outcome)
        {
            resolved = Err(why);
        }
        resolved
    }

    /// The values at a contact with which methods compute.
    fn finite_values(&self, contact: usize) -> Values {
        let mut values = [0.0; MAX_PARAMETERS];
        for (value, given) in values.iter_mut().zip(self.values(contact)) {
            *value = finite(*given);
        }
        values
    }

    /// The outcomes of collisions of a batch by one law, each with values of its own, as [`BoundLaw::resolve_collision`] gives them.
    pub(crate) fn resolve_rows(
        law: &'static Law,
        dimension: Dimension,
        rows: &[(Collision, &BoundLaw)],
    ) -> Vec<Result<ContactOutcome, Inapplicable>> {
        let Method::OneContact(method) = law.method else {
            return rows.iter().map(|(collision, bound)| bound.resolve_collision(collision)).collect();
        };
        let values: Vec<Values> = rows.iter().map(|(_, bound)| bound.finite_values(0)).collect();
        let posed = rows.iter().zip(&values).map(|((collision, _), values)| {
            let values = &values[..law.parameters.len()];
            Posed { collision: *collision, values }
        });
        let posed: Vec<Posed> = posed.collect();
        let mut outcomes = method.resolve_rows(dimension, &posed);
        if outcomes.len() != rows.len() {
            let fault = "another number of outcomes than there are collisions";
            outcomes = vec![Err(Inapplicable::InvalidSolution { fault }); rows.len()];
        }
        let checked = |(outcome, row): (Result<ContactOutcome, Inapplicable>, &Posed)| {
            let outcome = outcome?;
            verify(law, row.values, &row.collision, &outcome)?;
            Ok(outcome)
        };
        outcomes.into_iter().zip(&posed).map(checked).collect()
    }

    /// One contact by a law for several.
    fn solve_alone(
        &self,
        contact: usize,
        collision: &Collision,
        values: &[f64],
        method: &dyn SeveralContacts,
    ) -> Result<ContactOutcome, Inapplicable> {
        if self.applies_another_law() {
            return Err(Inapplicable::OneContact);
        }
        let friction = self.law.friction(values);
        if !collision.is_approaching() {
            return Ok(ContactOutcome::jump(collision, nalgebra::Vector3::zeros(), friction));
        }
        let restores_slip = self.law.restores_slip();
        if let Some(impulse) = method.closed_form(collision, values)? {
            return Ok(ContactOutcome::of_impulse(collision, impulse, friction, restores_slip));
        }
        let alone = self.restricted(&[contact]);
        let impact = Impact::of_collision(collision);
        let solution = alone.solve_island(&impact, method, None)?;
        Ok(ContactOutcome::of_impulse(collision, solution.impulses[0], friction, restores_slip))
    }

    /// One island, with what the method returns checked.
    fn solve_island(
        &self,
        island: &Impact,
        method: &dyn SeveralContacts,
        history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable> {
        let solution = method.resolve(island, self, history)?;
        check_solution(island, &solution)?;
        verify_several(self, island, &solution)?;
        Ok(solution)
    }

    /// Island by island, each with all its contacts at once.
    fn solve_islands(
        &self,
        impact: &Impact,
        method: &dyn SeveralContacts,
        mut histories: Option<&mut Vec<History>>,
    ) -> Result<Outcome, Inapplicable> {
        let mut whole = Solution::of_nothing(impact);
        for island in impact.islands() {
            if !island.iter().any(|contact| impact.velocity()[*contact].x < 0.0) {
                continue;
            }
            let all = island.len() == impact.contacts();
            let part = (!all).then(|| (impact.restricted(&island), self.restricted(&island)));
            let (part, bound) = part.as_ref().map_or((impact, self), |(part, bound)| (part, bound));
            let clock = method.clock().unwrap_or(Clock::NormalImpulse);
            let mut history = histories.is_some().then(|| {
                let contacts = island.clone();
                IslandHistory { clock, contacts, samples: Vec::new() }
            });
            let solution = bound.solve_island(part, method, history.as_mut()).map_err(|why| match why {
                Inapplicable::Wedged { contacts, proven } => {
                    Inapplicable::Wedged { contacts: contacts.about(&island), proven }
                }
                other => other,
            })?;
            if let (Some(histories), Some(history)) = (histories.as_deref_mut(), history)
                && !history.samples.is_empty()
            {
                histories.push(History::Island(history));
            }
            whole.insert(solution, &island);
        }
        Ok(whole.outcome(impact, |contact| self.friction(contact), self.law.restores_slip()))
    }
}
