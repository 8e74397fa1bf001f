/** One setting as a reader declared it; the table in the documentation is made of these. */
export type Setting = { name: string; fallback: string; about: string }

/** A start that cannot go on because of settings; the message lists all problems. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const bytesPattern = /^(\d+)\s*(B|KiB|MiB|GiB|TiB)?$/
const bytesUnits = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
}
const durationPattern = /^(\d+)\s*(ms|s|m|h|d)$/
const durationUnits = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Reads typed settings from an environment. Malformed values are collected, never defaulted. */
export class EnvReader {
  readonly problems: string[] = []
  readonly settings: Setting[] = []
  readonly #env: Record<string, string | undefined>

  constructor(env: Record<string, string | undefined>) {
    this.#env = env
  }

  text(name: string, fallback: string, about: string): string {
    return this.#read(name, fallback, about, (value) => value)
  }

  /** A setting without which the service cannot run. */
  required(name: string, about: string): string {
    const value = this.text(name, '', about)
    if (!value) this.problems.push(`${name} is required: ${about}`)
    return value
  }

  int(name: string, fallback: number, about: string): number {
    return this.#read(name, String(fallback), about, (value) =>
      /^\d{1,15}$/.test(value) ? Number(value) : undefined,
    )
  }

  /** As `int`, 1 at least. */
  positiveInt(name: string, fallback: number, about: string): number {
    return this.#read(name, String(fallback), about, (value) =>
      /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined,
    )
  }

  /** One of a few words. */
  oneOf<T extends string>(name: string, words: readonly T[], fallback: T, about: string): T {
    return this.#read(name, fallback, `${about}: ${words.join(', ')}`, (value) =>
      words.find((word) => word === value),
    )
  }

  port(name: string, fallback: number, about: string): number {
    return this.#read(name, String(fallback), about, (value) =>
      isPort(value) ? Number(value) : undefined,
    )
  }

  /** Undefined when it is not set. */
  optionalPort(name: string, about: string): number | undefined {
    const value = this.text(name, '', about)
    if (value === '') return undefined
    if (isPort(value)) return Number(value)
    this.malformed(name, value, about)
    return undefined
  }

  bool(name: string, fallback: boolean, about: string): boolean {
    return this.#read(name, String(fallback), about, (value) =>
      value === 'true' || value === 'false' ? value === 'true' : undefined,
    )
  }

  /** For example `64KiB`; answers bytes. */
  bytes(name: string, fallback: string, about: string): number {
    return this.#read(name, fallback, about, (value) => scaled(value, bytesPattern, bytesUnits))
  }

  /** For example `90s`; answers milliseconds. */
  duration(name: string, fallback: string, about: string): number {
    return this.#read(name, fallback, about, (value) =>
      scaled(value, durationPattern, durationUnits),
    )
  }

  /** An http(s) address without a trailing slash, or empty. */
  url(name: string, fallback: string, about: string): string {
    const parse = (value: string) => (value === '' ? '' : addressOf(value))
    return this.#read(name, fallback, about, parse, addressExample)
  }

  /** As `url`, any number of them, separated by commas. */
  urls(name: string, about: string): string[] {
    const parse = (value: string) => {
      const addresses = itemsOf(value).map(addressOf)
      const valid = addresses.filter((address) => address !== undefined)
      return valid.length === addresses.length ? valid : undefined
    }
    return this.#read(name, '', about, parse, addressExample)
  }

  /** Values separated by commas. */
  list(name: string, about: string): string[] {
    return itemsOf(this.text(name, '', about))
  }

  /** For what the methods above do not know; what the value holds of a password is not shown. */
  malformed(name: string, value: string, about: string, example = ''): void {
    const such = example ? `; for example '${example}'` : ''
    this.problems.push(`${name}: '${withoutCredentials(value)}' is not valid (${about}${such})`)
  }

  #read<T>(
    name: string,
    fallback: string,
    about: string,
    parse: (value: string) => T | undefined,
    example = fallback,
  ) {
    this.settings.push({ name, fallback, about })
    const value = this.#env[name] || fallback
    const parsed = parse(value)
    if (parsed === undefined) this.malformed(name, value, about, example)
    return parsed as T
  }
}

const addressExample = 'https://figbase.example.org'

/** A text without the user and the password of the addresses in it. */
export const withoutCredentials = (text: string): string =>
  text.replace(/:\/\/[^\s/'"]*@/g, '://…@')

const itemsOf = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const addressOf = (value: string) =>
  /^https?:\/\//.test(value) && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined

const isPort = (value: string) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535

function scaled(value: string, pattern: RegExp, units: Record<string, number>) {
  const match = pattern.exec(value)
  if (!match) return undefined
  const number = Number(match[1]) * (units[match[2] ?? 'B'] ?? 1)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Reads and freezes; throws one ConfigError that names every malformed setting. */
export function readSettings<T extends object>(
  env: Record<string, string | undefined>,
  read: (env: EnvReader) => T,
): Readonly<T> {
  const reader = new EnvReader(env)
  const settings = read(reader)
  if (reader.problems.length > 0) throw new ConfigError([...new Set(reader.problems)].join('\n'))
  return Object.freeze(settings)
}
