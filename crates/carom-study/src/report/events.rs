//! Impact events, for people.

use crate::terminal::number::number;
use carom::ImpactEvent;
use std::fmt::Write;

/// Events, pieces and contacts at rest beyond this number are left to JSON.
const MOST_EVENTS: usize = 8;

/// The impact events, for laws that have them: impulse and work at the ends of compression and event, the ratios of the normal
/// impulses piece by piece, and the contacts at rest.
pub(super) fn event_lines(events: &[ImpactEvent]) -> String {
    let mut text = String::new();
    if events.is_empty() {
        return text;
    }
    text.push_str("\nEvents (P: normal impulse of all contacts since first touch, N s)\n");
    for (k, event) in events.iter().enumerate().take(MOST_EVENTS) {
        let size = event.end.work.abs().max(event.compression.as_ref().map_or(0.0, |state| state.work.abs()));
        let contacts: Vec<String> = event.contacts.iter().map(|contact| (contact + 1).to_string()).collect();
        let plural = if contacts.len() == 1 { "" } else { "s" };
        let (contacts, e) = (contacts.join(" "), number(event.restitution, 0.0));
        let _ = writeln!(text, "  {}  contact{plural} {contacts}, e* {e}", k + 1);
        if let Some(compression) = &event.compression {
            let p = event.from + compression.normal_impulses.iter().sum::<f64>();
            let (p, work) = (number(p, 0.0), number(compression.work, size));
            let _ = writeln!(text, "     compression ends at P {p}, W_n {work} J");
        }
        let (p, work) = (number(event.to, 0.0), number(event.end.work, size));
        let _ = writeln!(text, "     event ends at P {p}, W_n {work} J");
        for piece in event.pieces.iter().take(MOST_EVENTS).filter(|piece| piece.shares.len() > 1) {
            let shares: Vec<String> = piece.shares.iter().map(|share| number(*share, 1.0)).collect();
            let _ = writeln!(
                text,
                "     to P {}: normal impulses in the ratio {}",
                number(piece.to, 0.0),
                shares.join(" : ")
            );
        }
        for rest in event.rests.iter().take(MOST_EVENTS) {
            let friction = rest
                .critical_friction
                .map_or_else(|| "no normal impulse".to_owned(), |friction| format!("μ̄ {}", number(friction, 1.0)));
            let (contact, at) = (rest.contact + 1, number(rest.at, 0.0));
            let _ = writeln!(text, "     contact {contact} at rest at P {at}: {friction}, {}", rest.next.name());
        }
    }
    if events.len() > MOST_EVENTS {
        let _ = writeln!(text, "  … {} more", events.len() - MOST_EVENTS);
    }
    text
}
