/* Times the planar solvers of Siconos on the collisions of bench.py, one contact a problem; prints for each solver nanoseconds a solve and
   the number of failures, then, for the fastest without failures, its impulses to a file. Arguments: problems, restitution, friction, file. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>

static double between(long k, double least, double greatest, double turn) {
  double whole;
  return least + (greatest - least) * modf(k * turn, &whole);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int count, char** arguments) {
  if (count != 5) return 2;
  long rows = atol(arguments[1]);
  double restitution = atof(arguments[2]), friction = atof(arguments[3]);
  FrictionContactProblem** problems = malloc(rows * sizeof *problems);
  for (long k = 0; k < rows; k++) {
    double nn = between(k, 1.0, 2.0, 0.6180339887498949), nt = between(k, -0.5, 0.5, 0.4142135623730951);
    double tt = between(k, 1.0, 2.0, 0.7320508075688772), v_n = between(k, -1.0, -0.1, 0.2360679774997898);
    double v_t = between(k, -1.0, 1.0, 0.6457513110645906);
    /* W in columns; V + W P is complementary to P after restitution is added to V_n. */
    double w[4] = {nn, nt, nt, tt}, *q = malloc(2 * sizeof(double)), *mu = malloc(sizeof(double));
    double* matrix = malloc(sizeof w);
    memcpy(matrix, w, sizeof w);
    q[0] = (1.0 + restitution) * v_n, q[1] = v_t, *mu = friction;
    problems[k] = frictionContactProblem_new_with_data(2, 1, NM_create_from_data(NM_DENSE, 2, 2, matrix), q, mu);
  }
  int solvers[] = {SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_2D_LEMKE, SICONOS_FRICTION_2D_ENUM, SICONOS_FRICTION_2D_CPG};
  numerics_set_verbose(0);
  double *impulses = malloc(2 * rows * sizeof(double)), *fastest = malloc(2 * rows * sizeof(double)), least = DBL_MAX;
  for (int s = 0; s < 4; s++) {
    SolverOptions* options = solver_options_create(solvers[s]);
    double best = DBL_MAX;
    long failures = 0;
    for (int round = 0; round < 7; round++) {
      failures = 0;
      double velocity[2], start = now();
      for (long k = 0; k < rows; k++) {
        impulses[2 * k] = impulses[2 * k + 1] = velocity[0] = velocity[1] = 0.0;
        failures += fc2d_driver(problems[k], impulses + 2 * k, velocity, options) != 0;
      }
      best = fmin(best, now() - start);
    }
    printf("%s %.1f %ld\n", solver_options_id_to_name(solvers[s]), best * 1e9 / rows, failures);
    if (failures == 0 && best < least) {
      least = best;
      memcpy(fastest, impulses, 2 * rows * sizeof(double));
    }
    solver_options_delete(options);
  }
  FILE* file = fopen(arguments[4], "wb");
  if (!file || fwrite(fastest, sizeof(double), 2 * rows, file) != (size_t)(2 * rows)) return 1;
  return fclose(file) == 0 ? 0 : 1;
}
