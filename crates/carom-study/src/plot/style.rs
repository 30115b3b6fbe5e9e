//! Colours and dashes: safe for colour-blind readers (Okabe & Ito 2008), and told apart by dash without any colour.

use super::svg::Style;

/// Text and strong lines.
pub const INK: &str = "#1a1a1a";
/// Secondary text.
pub const GREY: &str = "#5f5f5f";
/// Level sets and zero lines.
pub const FAINT: &str = "#a8a8a8";
/// The sheet itself.
pub const WHITE: &str = "#ffffff";
/// Ground and hatching of the accessible region.
pub const REGION: [&str; 2] = ["#e3edf7", "#b5cbe2"];

/// Colours of marks and reachable sets.
pub const PALETTE: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#a8437f", "#111111", "#b07c00", "#3a9fd6"];

/// Light grounds in the order of the palette, for surfaces below lines and for regions.
pub const TINTS: [&str; 8] = ["#d3e5f3", "#fbdcc4", "#c9ebdf", "#ecd3e2", "#dddddd", "#f3e3b8", "#e9f4fb", "#f5f5f5"];

/// Size of running text, pixels.
pub const TEXT: f64 = 12.0;
/// Size of small text, pixels.
pub const SMALL: f64 = 10.5;

/// A line of Wang & Mason's impact process diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// Maximum compression.
    C,
    /// Sticking.
    S,
    /// Termination.
    T,
    /// Limiting friction.
    L,
    /// Reversed limiting friction.
    Rf,
}

impl Letter {
    /// As written at the line's end.
    pub fn name(self) -> &'static str {
        match self {
            Letter::C => "C",
            Letter::S => "S",
            Letter::T => "T",
            Letter::L => "L",
            Letter::Rf => "RF",
        }
    }

    /// How the line is drawn.
    pub fn style(self) -> Style<'static> {
        match self {
            Letter::C => Style::line("#0b4f8a", 1.3).dashed(&[10.0, 4.0]),
            Letter::S => Style::line("#00694a", 1.3).dashed(&[10.0, 3.0, 2.0, 3.0]),
            Letter::T => Style::line("#7d2a63", 1.3).dashed(&[4.5, 3.0]),
            Letter::L => Style::line("#9a4300", 1.6).dashed(&[1.6, 2.6]),
            Letter::Rf => Style::line("#9a4300", 1.3).dashed(&[8.0, 2.5, 1.6, 2.5, 1.6, 2.5]),
        }
    }
}

/// The energy ellipse.
pub fn ellipse() -> Style<'static> {
    Style::line(INK, 1.3)
}

/// Level sets of the loss.
pub fn level() -> Style<'static> {
    Style::line(FAINT, 0.7)
}

/// Edges of the friction cone.
pub fn cone() -> Style<'static> {
    Style::line("#6b6b6b", 0.9)
}

/// The path of the impulse.
pub fn path() -> Style<'static> {
    Style::line(INK, 1.7)
}

/// A marked value of an axis.
pub fn guide() -> Style<'static> {
    Style::line("#4a4a4a", 0.8).dashed(&[4.0, 3.0])
}
