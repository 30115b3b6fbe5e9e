//! The pictures of a scenario's predictions: which there are depends on the number of contacts, on the number of laws and on
//! whether a law follows the impact.

use super::course::Course;
use super::diagram::Diagram;
use super::island_course::island_course;
use super::outcomes::outcomes;
use super::sheet::Sheet;
use super::stack::stack;
use crate::prediction::{Answer, Prediction};
use crate::report;
use crate::scenario::Scenario;
use std::fmt;

/// The predictions of laws in one picture, as SVG: the impulse-space diagram of one contact, the outcomes at several. Of one law
/// that was asked for, `chosen`, its course as well: below the diagram, or instead of the outcomes.
pub fn overview(scenario: &Scenario, answers: &[Answer], chosen: Option<&Prediction>) -> String {
    let course = chosen.and_then(|prediction| course_sheet(scenario, prediction).ok());
    match (Diagram::of(scenario, answers), course) {
        (Some(diagram), Some(course)) => {
            let course = Sheet { title: "Course of the collision".to_owned(), ..course };
            stack(&diagram.svg(), &course.svg())
        }
        (Some(diagram), None) => diagram.svg(),
        (None, Some(course)) => course.svg(),
        (None, None) => {
            let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
            outcomes(scenario, &predictions).svg()
        }
    }
}

/// The course of a prediction: of one contact forces, displacements, slip, velocities and works; of several, of the first island.
pub fn course_sheet(scenario: &Scenario, prediction: &Prediction) -> Result<Sheet, NoCourse> {
    if let Some(course) = Course::of(scenario, prediction) {
        let subtitle = format!("{}: {}", prediction.law.law().id, report::parameters(prediction));
        return Ok(course.sheet(scenario.title.clone(), subtitle));
    }
    let island = prediction.islands().next();
    island
        .map(|history| island_course(scenario, prediction, history))
        .ok_or_else(|| NoCourse::of(scenario, &[prediction]))
}

/// Why predictions have no course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCourse {
    /// The bodies do not collide, by this law.
    NoCollision(&'static str),
    /// This law jumps from before to after.
    Jump(&'static str),
    /// No law follows one contact.
    OneContact,
    /// No law follows several contacts.
    SeveralContacts,
}

impl NoCourse {
    /// Why these predictions have none.
    pub fn of(scenario: &Scenario, predictions: &[&Prediction]) -> NoCourse {
        match predictions {
            _ if scenario.impact.contacts() > 1 => NoCourse::SeveralContacts,
            [one] if one.history(0).is_some() => NoCourse::NoCollision(one.law.law().id),
            [one] => NoCourse::Jump(one.law.law().id),
            _ => NoCourse::OneContact,
        }
    }
}

impl fmt::Display for NoCourse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCourse::NoCollision(law) => write!(f, "{law}: the bodies do not collide, so there is no course"),
            NoCourse::Jump(law) => write!(f, "{law}: the law jumps from before to after, so there is no course"),
            NoCourse::OneContact => {
                f.write_str("no law follows the contact through this collision, so there is no course")
            }
            NoCourse::SeveralContacts => f.write_str("no law follows this impact, so there is no course"),
        }
    }
}

impl std::error::Error for NoCourse {}
