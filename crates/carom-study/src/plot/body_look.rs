//! How bodies are told apart: few by colour, more by colour and dash, many by their place in a row of colours.

use super::style::PALETTE;

/// How the outline of a body is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyLook {
    /// `#rrggbb`.
    pub colour: String,
    /// Lengths of dashes and gaps in pixels; empty for a solid line.
    pub dash: &'static [f64],
}

/// Dashes of the first round through the palette and of those after it.
const DASHES: [&[f64]; 3] = [&[], &[4.5, 2.0], &[1.6, 1.8]];

/// From the first of many bodies to the last: Viridis without its yellow end, which white paper swallows.
const ROW: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [65.0, 68.0, 135.0], [42.0, 120.0, 142.0], [34.0, 168.0, 132.0], [110.0, 195.0, 80.0]];

/// Whether each of this number of bodies has a look of its own, the same in all charts.
pub fn keeps_own_colours(count: usize) -> bool {
    count <= PALETTE.len() * DASHES.len()
}

/// The look of a body, by its place among all.
///
/// ```
/// use carom_study::plot::body_look;
/// assert_ne!(body_look(0, 10), body_look(7, 10));
/// assert_ne!(body_look(0, 200), body_look(199, 200));
/// ```
pub fn body_look(body: usize, count: usize) -> BodyLook {
    if keeps_own_colours(count) {
        let (round, place) = (body / PALETTE.len(), body % PALETTE.len());
        return BodyLook { colour: PALETTE[place].to_owned(), dash: DASHES[round.min(DASHES.len() - 1)] };
    }
    BodyLook { colour: of_row(body as f64 / (count - 1) as f64), dash: &[] }
}

/// The colour at a share of the row.
pub fn of_row(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (ROW.len() - 1) as f64;
    let k = (at.floor() as usize).min(ROW.len() - 2);
    let mix = |i: usize| ROW[k][i] + (ROW[k + 1][i] - ROW[k][i]) * (at - k as f64);
    format!("#{:02x}{:02x}{:02x}", mix(0).round() as u8, mix(1).round() as u8, mix(2).round() as u8)
}
