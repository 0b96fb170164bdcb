"""Added mass and damping of a half-immersed circular cylinder that heaves in deep water, and how it
heaves after it is let go: writes heaving_cylinder.csv and heaving_cylinder_motion.csv.

F. Ursell (1949), On the heaving motion of a circular cylinder on the surface of a fluid, Quart. J. Mech.
Appl. Math. 2: the potential is that of a wave source at the origin and of multipoles there, each of which
meets the linear condition of the free surface; their strengths are those whose radial velocity at the
cylinder is V cos θ, here by least squares. S. J. Maskell & F. Ursell (1970), The transient motion of a
floating body, J. Fluid Mech. 44: the motion from rest as the Fourier integral over the forces.

All is in units of the radius, of gravity and of the water's density. θ is from the downward vertical;
K = ω² in these units; time goes as exp(-iωt).
"""
import numpy as np

THETA = (np.arange(400) + 0.5) * (0.5 * np.pi / 400)
MULTIPOLES = 14


def scaled_e1(z):
    """exp(z) E1(z): the series for small |z|, else Lentz's continued fraction."""
    z = np.asarray(z, complex)
    small = np.abs(z) < 12.0
    total = -np.euler_gamma - np.log(np.where(small, z, 1.0))
    term = np.ones_like(z)
    for n in range(1, 80):
        term = term * -np.where(small, z, 0.0) / n
        total = total - term / n
    far = np.where(small, 20.0, z)
    fraction = np.zeros_like(far)
    for n in range(80, 0, -1):
        fraction = n / (1.0 + n / (far + fraction))
    return np.where(small, np.exp(np.where(small, z, 0.0)) * total, 1.0 / (far + fraction))


def wave_source(k, x, y):
    """PV of the integral of exp(-ky) cos(kx) / (k - K) over k, plus iπ exp(-Ky) cos(Kx), x > 0.

    With ζ = y - ix the principal value of the integral of exp(-kζ) / (k - K) is
    exp(-Kζ) (E1(-Kζ) - iπ), where Im(-Kζ) > 0: of its path round the pole one half is left.
    """
    z = -k * (y - 1j * x)
    principal = (scaled_e1(z) + 1j * np.pi * np.exp(z)).real
    return principal + 1j * np.pi * np.exp(-k * y) * np.cos(k * x)


def potentials(k, r):
    x, y = r * np.sin(THETA), r * np.cos(THETA)
    columns = [wave_source(k, x, y)]
    for m in range(1, MULTIPOLES + 1):
        wave_free = np.cos(2 * m * THETA) / r ** (2 * m)
        wave_free = wave_free + k / (2 * m - 1) * np.cos((2 * m - 1) * THETA) / r ** (2 * m - 1)
        columns.append(wave_free.astype(complex))
    return np.array(columns).T


def forces(k):
    """Added mass over π/2, the mass displaced; damping over π/2 times ω; and that by the waves' energy."""
    step = 1e-4
    slope = (potentials(k, 1.0 + step) - potentials(k, 1.0 - step)) / (2.0 * step)
    strengths = np.linalg.lstsq(slope, np.cos(THETA).astype(complex), rcond=None)[0]
    # The pressure is iωΦ for a speed 1 downwards, and its force against it ω (damping - i added mass).
    force = 2.0 * np.mean(potentials(k, 1.0) @ strengths * np.cos(THETA))
    return -force.real, -force.imag, 2.0 * np.pi * np.abs(strengths[0]) ** 2


def motion(times, omega, added, damping):
    """The height over that at the start, of a cylinder let go at rest."""
    mass, stiffness = 0.5 * np.pi, 2.0
    answer = 1.0 / (stiffness - omega**2 * mass * (1.0 + added) - 1j * omega**2 * mass * damping)
    integrand = answer.real * times[:, None] * np.sinc(np.outer(times, omega / np.pi))
    return 1.0 - 2.0 / np.pi * stiffness * np.trapezoid(integrand, omega, axis=1)


def write(path, head, columns):
    with open(path, "w", encoding="utf-8") as file:
        file.write(head)
        for row in zip(*columns):
            file.write(",".join(f"{value:.6g}" for value in row) + "\n")


def main():
    known = forces(1.0)
    assert abs(known[1] / known[2] - 1.0) < 1e-5, known
    k = np.concatenate([np.arange(0.05, 2.0, 0.05), np.arange(2.0, 10.1, 0.5)])
    table = np.array([forces(value) for value in k]).T
    source = "# source: computed by heaving_cylinder.py; F. Ursell (1949), On the heaving motion of a circular cylinder\n"
    write("heaving_cylinder.csv", source + "# source: on the surface of a fluid, Quart. J. Mech. Appl. Math. 2\n"
          "# columns: K = ω²R/g; added mass over the mass displaced; damping over that and ω\nK,added,damping\n",
          [k, table[0], table[1]])
    # Above K = 10 the added mass goes as 1 - 4/(3πK), and there is no damping.
    omega = np.arange(0.0, 30.0, 0.0025)
    low = omega**2 < 10.0
    # Both are smooth in ω: forces are found at fewer places.
    coarse = np.concatenate([np.geomspace(1e-3, 0.05, 60), np.arange(0.06, 3.2, 0.01)])
    found = np.array([forces(value**2) for value in coarse]).T
    added = np.where(low, np.interp(omega, coarse, found[0]), 1.0 - 4.0 / (3.0 * np.pi * np.maximum(omega, 1.0) ** 2))
    damping = np.where(low, np.interp(omega, coarse, found[1]), 0.0)
    times = np.arange(0.0, 20.01, 0.1)
    write("heaving_cylinder_motion.csv", source + "# source: and from it S. J. Maskell & F. Ursell (1970), The transient"
          " motion of a floating body, J. Fluid\n# source: Mech. 44\n# columns: time over the root of R/g; height over"
          " that at the start\nt,z\n", [times, motion(times, omega, added, damping)])


if __name__ == "__main__":
    main()
