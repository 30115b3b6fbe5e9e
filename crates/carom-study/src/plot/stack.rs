//! Pictures one below the other.

/// One picture of two, the second below the first. Both keep their own title for screen readers.
///
/// ```
/// let picture = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10"/>"#;
/// let both = carom_study::plot::stack(picture, picture);
/// assert!(both.contains(r#"width="20" height="20""#));
/// ```
pub fn stack(upper: &str, lower: &str) -> String {
    let ([w1, h1], [w2, h2]) = (size(upper), size(lower));
    let (w, h) = (w1.max(w2), h1 + h2);
    let lower = lower.replacen("<svg ", &format!("<svg y=\"{h1}\" "), 1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{upper}{lower}</svg>\n"
    )
}

/// Width and height of one of our pictures.
fn size(svg: &str) -> [f64; 2] {
    ["width", "height"].map(|name| {
        let after = svg.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
        after.split('"').next().and_then(|value| value.parse().ok()).unwrap_or(0.0)
    })
}
