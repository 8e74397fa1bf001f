const factors: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** An amount as Kubernetes writes it: `1500m`, `128Mi`, `1e3`. NaN if it is none. */
export function parseQuantity(text: string): number {
  const [, number = '', unit = ''] =
    /^([+-]?[0-9.]+(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(text) ?? []
  return number === '' ? Number.NaN : Number(number) * (factors[unit] ?? Number.NaN)
}
