//! Walls and obstacles.

use super::stage::Stage;
use crate::plot::style::{FAINT, GREY, INK};
use crate::plot::svg::{Canvas, Point, Style};
use crate::scenario::SimulationScenario;
use carom::sim::{Core, Pose};
use nalgebra::Vector3;

impl Stage<'_> {
    /// Walls and obstacles.
    pub fn draw_world(&self, canvas: &mut Canvas, scenario: &SimulationScenario) {
        let hatch = canvas.hatch("#f1f1f1", "#cfcfcf");
        for part in scenario.scene.world() {
            if let Core::HalfSpace { normal, offset } = &part.core {
                if scenario.scene.is_planar() {
                    self.draw_ground(canvas, normal, *offset, &hatch);
                } else if normal.dot(&self.view.toward) > 0.0 {
                    self.draw_floor(canvas, normal, *offset);
                }
            } else if let Some(outline) = self.view.outline(part, &Pose::identity()) {
                self.draw_outline(canvas, &outline, &Style::line(GREY, 1.0).filled(&hatch), &Style::line(GREY, 0.6));
            }
        }
    }

    /// The solid below a line of the plane.
    fn draw_ground(&self, canvas: &mut Canvas, normal: &Vector3<f64>, offset: f64, hatch: &str) {
        let far = 4.0 * (self.extent[1] - self.extent[0]).norm() + 1e-6;
        let foot = self.centre + normal * (offset - normal.dot(&self.centre));
        let along = Vector3::new(normal.y, -normal.x, 0.0) * far;
        let corners = [foot - along, foot + along, foot + along - normal * far, foot - along - normal * far];
        let polygon = self.rectangle.grown(3.0).clip_polygon(corners.iter().map(|p| self.place(p)).collect());
        canvas.polyline(&polygon, true, &Style::fill(hatch));
        if let Some([from, to]) = self.rectangle.clip([self.place(&corners[0]), self.place(&corners[1])]) {
            canvas.line(from, to, &Style::line(INK, 1.0));
        }
    }

    /// A piece of a plane in space, ruled so that it is seen as a plane.
    fn draw_floor(&self, canvas: &mut Canvas, normal: &Vector3<f64>, offset: f64) {
        const LINES: i32 = 6;
        let half = 0.62 * (self.extent[1] - self.extent[0]).max();
        let foot = self.centre + normal * (offset - normal.dot(&self.centre));
        let across = if normal.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        let first = (across - normal * normal.dot(&across)).normalize() * half;
        let second = normal.cross(&first);
        let corners =
            [first + second, first - second, -first - second, second - first].map(|c| self.place(&(foot + c)));
        canvas.polyline(&corners, true, &Style::line(FAINT, 0.7).filled("#f6f6f6"));
        for k in 1 - LINES..LINES {
            let share = f64::from(k) / f64::from(LINES);
            for (a, b) in [(first, second), (second, first)] {
                let ends = [foot + a * share - b, foot + a * share + b].map(|p| self.place(&p));
                canvas.line(ends[0], ends[1], &Style::line("#dddddd", 0.6));
            }
        }
    }

    /// Places for a label of some size along the solid side of a line of the plane, from its middle outwards.
    pub fn along_wall(&self, normal: &Vector3<f64>, offset: f64, size: Point) -> Vec<Point> {
        const PLACES: [f64; 7] = [0.5, 0.65, 0.35, 0.8, 0.2, 0.9, 0.1];
        let far = 4.0 * (self.extent[1] - self.extent[0]).norm() + 1e-6;
        let foot = self.centre + normal * (offset - normal.dot(&self.centre));
        let along = Vector3::new(normal.y, -normal.x, 0.0) * far;
        let ends = [self.place(&(foot - along)), self.place(&(foot + along))];
        let Some([from, to]) = self.rectangle.clip(ends) else { return Vec::new() };
        let depth = 3.0 + 0.5 * (size.x * normal.x.abs() + size.y * normal.y.abs());
        let into = Point::new(-normal.x, normal.y) * depth;
        PLACES.iter().map(|share| from + (to - from) * *share + into).collect()
    }
}
