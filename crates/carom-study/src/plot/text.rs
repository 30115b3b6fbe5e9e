//! A line of text with italics, bold, subscripts and superscripts.

/// A line of text in spans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text(Vec<Span>);

/// A stretch of text in one face at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The characters.
    pub content: String,
    /// Upright, italic or bold.
    pub face: Face,
    /// On the line, below or above.
    pub level: Level,
}

/// A cut of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Upright.
    Regular,
    /// For symbols of quantities.
    Italic,
    /// For headings.
    Bold,
}

/// Height of a span relative to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// On the line.
    Line,
    /// Subscript.
    Sub,
    /// Superscript.
    Super,
}

impl Level {
    /// Size of the characters when the line's are `size`.
    pub fn size(self, size: f64) -> f64 {
        if self == Level::Line { size } else { 0.72 * size }
    }

    /// How far below the line it stands.
    pub fn drop(self, size: f64) -> f64 {
        match self {
            Level::Line => 0.0,
            Level::Sub => 0.22 * size,
            Level::Super => -0.36 * size,
        }
    }
}

impl Text {
    /// Upright text.
    pub fn plain(content: impl Into<String>) -> Text {
        Text::default().then(content)
    }

    /// Bold text.
    pub fn bold(content: impl Into<String>) -> Text {
        Text::default().with(content, Face::Bold, Level::Line)
    }

    /// Italic text.
    pub fn symbol(content: impl Into<String>) -> Text {
        Text::default().italic(content)
    }

    /// Text with marks: `*V*` is italic, `_n` or `_{nt}` a subscript, `^2` or `^{-1}` a superscript; `\\` takes the next character as it is.
    ///
    /// ```
    /// use carom_study::plot::Text;
    /// assert_eq!(Text::marked("slip *V*_t (m/s)"), Text::plain("slip ").italic("V").subscript("t").then(" (m/s)"));
    /// ```
    pub fn marked(content: &str) -> Text {
        let (mut text, mut run, mut face) = (Text::default(), String::new(), Face::Regular);
        let mut characters = content.chars();
        while let Some(c) = characters.next() {
            match c {
                '\\' => run.extend(characters.next()),
                '*' | '_' | '^' => {
                    if !run.is_empty() {
                        text = text.with(std::mem::take(&mut run), face, Level::Line);
                    }
                    if c == '*' {
                        face = if face == Face::Italic { Face::Regular } else { Face::Italic };
                        continue;
                    }
                    let raised: String = match characters.next() {
                        Some('{') => characters.by_ref().take_while(|c| *c != '}').collect(),
                        other => other.into_iter().collect(),
                    };
                    let upright = c == '^' || raised.chars().all(|c| c.is_ascii_digit());
                    let level = if c == '_' { Level::Sub } else { Level::Super };
                    let face = if upright { Face::Regular } else { Face::Italic };
                    text = text.with(raised.replace('-', "\u{2212}"), face, level);
                }
                c => run.push(c),
            }
        }
        if run.is_empty() { text } else { text.with(run, face, Level::Line) }
    }

    /// Followed by a span of another text.
    #[must_use]
    pub fn joined(mut self, span: &Span) -> Text {
        self.0.push(span.clone());
        self
    }

    /// Followed by upright text.
    #[must_use]
    pub fn then(self, content: impl Into<String>) -> Text {
        self.with(content, Face::Regular, Level::Line)
    }

    /// Followed by italic text.
    #[must_use]
    pub fn italic(self, content: impl Into<String>) -> Text {
        self.with(content, Face::Italic, Level::Line)
    }

    /// Followed by an italic subscript.
    #[must_use]
    pub fn subscript(self, content: impl Into<String>) -> Text {
        self.with(content, Face::Italic, Level::Sub)
    }

    /// Followed by a number in the subscript, upright as numbers are.
    #[must_use]
    pub fn subscript_number(self, number: usize) -> Text {
        self.with(number.to_string(), Face::Regular, Level::Sub)
    }

    /// Followed by a number: up to five digits, with a power of ten where it is very large or small.
    #[must_use]
    pub fn number(self, x: f64) -> Text {
        /// Digits a reader can compare at a glance.
        const DIGITS: i32 = 5;
        let minus = |digits: String| digits.replace('-', "\u{2212}");
        let scientific = format!("{x:.*e}", DIGITS as usize - 1);
        let Some((mantissa, exponent)) = scientific.split_once('e') else { return self.then(minus(x.to_string())) };
        let exponent: i32 = exponent.parse().unwrap_or_default();
        if (-3..5).contains(&exponent) {
            let decimals = (DIGITS - 1 - exponent).max(0) as usize;
            return self.then(minus(trimmed(&format!("{x:.decimals$}"))));
        }
        let mantissa = trimmed(mantissa);
        let head = if mantissa == "1" { "10".to_owned() } else { format!("{mantissa} × 10") };
        self.then(minus(head)).sup(minus(exponent.to_string()))
    }

    /// Followed by a superscript.
    #[must_use]
    pub fn sup(self, content: impl Into<String>) -> Text {
        self.with(content, Face::Regular, Level::Super)
    }

    /// Followed by another text.
    #[must_use]
    pub fn then_all(mut self, other: &Text) -> Text {
        self.0.extend_from_slice(&other.0);
        self
    }

    /// The spans in order.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    fn with(mut self, content: impl Into<String>, face: Face, level: Level) -> Text {
        self.0.push(Span { content: content.into(), face, level });
        self
    }
}

fn trimmed(digits: &str) -> String {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.').to_owned() } else { digits.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::Text;

    fn written(x: f64) -> String {
        Text::default().number(x).spans().iter().map(|span| span.content.as_str()).collect::<Vec<_>>().join("^")
    }

    #[test]
    fn numbers_are_short() {
        let cases = [0.8, -1.0, 0.0, 1e7, 2.5e-9, 0.309_016_994, 12_345.6];
        assert_eq!(cases.map(written), ["0.8", "−1", "0", "10^7", "2.5 × 10^−9", "0.30902", "12346"]);
    }
}
