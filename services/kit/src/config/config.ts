import { readFileSync } from 'node:fs'
import { valueIn } from './former-names.js'

/** One declared setting. The settings table of the documentation is generated from these. */
export type Setting = { name: string; fallback: string; about: string }

/** The settings are invalid; the message lists all problems. */
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

/** Reads typed settings from an environment. Invalid values become problems and are never replaced by a default. */
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

  /** A required setting. */
  required(name: string, about: string): string {
    const value = this.text(name, '', about)
    if (!value) this.problems.push(`${name} is required: ${about}`)
    return value
  }

  /** A secret: the value of the setting, or the first line of the file that `<name>_FILE` names. Empty if not set. */
  secret(name: string, about: string): string {
    const value = this.text(name, '', about)
    const file = this.text(`${name}_FILE`, '', `file with the value of ${name}`)
    if (!file) return value
    if (value) this.problems.push(`${name} and ${name}_FILE: set only one of them`)
    try {
      return readFileSync(file, 'utf8').split('\n', 1)[0]?.trim() ?? ''
    } catch (error) {
      this.problems.push(`${name}_FILE: cannot be read (${(error as Error).message})`)
      return ''
    }
  }

  int(name: string, fallback: number, about: string): number {
    return this.#read(name, String(fallback), about, (value) =>
      /^\d{1,15}$/.test(value) ? Number(value) : undefined,
    )
  }

  /** Like `int`, at least 1. */
  positiveInt(name: string, fallback: number, about: string): number {
    return this.#read(name, String(fallback), about, (value) =>
      /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined,
    )
  }

  /** An enumerated value. */
  oneOf<T extends string>(name: string, values: readonly T[], fallback: T, about: string): T {
    return this.#read(name, fallback, `${about}: ${values.join(', ')}`, (value) =>
      values.find((word) => word === value),
    )
  }

  port(name: string, fallback: number, about: string): number {
    return this.#read(name, String(fallback), about, (value) =>
      isPort(value) ? Number(value) : undefined,
    )
  }

  /** Undefined if not set. */
  optionalPort(name: string, about: string): number | undefined {
    const value = this.text(name, '', about)
    if (value === '') return undefined
    if (isPort(value)) return Number(value)
    this.reportInvalid(name, value, about)
    return undefined
  }

  bool(name: string, fallback: boolean, about: string): boolean {
    return this.#read(name, String(fallback), about, (value) =>
      value === 'true' || value === 'false' ? value === 'true' : undefined,
    )
  }

  /** A size such as `64KiB`; returns bytes. */
  bytes(name: string, fallback: string, about: string): number {
    return this.#read(name, fallback, about, (value) => scaled(value, bytesPattern, bytesUnits))
  }

  /** A duration such as `90s`; returns milliseconds. */
  duration(name: string, fallback: string, about: string): number {
    return this.#read(name, fallback, about, (value) =>
      scaled(value, durationPattern, durationUnits),
    )
  }

  /** An http(s) URL without trailing slashes, or empty. */
  url(name: string, fallback: string, about: string): string {
    const parse = (value: string) => (value === '' ? '' : addressOf(value))
    return this.#read(name, fallback, about, parse, addressExample)
  }

  /** Like `url`, a comma-separated list. */
  urls(name: string, about: string): string[] {
    const parse = (value: string) => {
      const addresses = itemsOf(value).map(addressOf)
      const valid = addresses.filter((address) => address !== undefined)
      return valid.length === addresses.length ? valid : undefined
    }
    return this.#read(name, '', about, parse, addressExample)
  }

  /** A comma-separated list. */
  list(name: string, about: string): string[] {
    return itemsOf(this.text(name, '', about))
  }

  /** Reports an invalid value of a type that the methods above do not cover; credentials in URLs are masked. */
  reportInvalid(name: string, value: string, about: string, example = ''): void {
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
    const value = valueIn(this.#env, name) || fallback
    const parsed = parse(value)
    if (parsed === undefined) this.reportInvalid(name, value, about, example)
    return parsed as T
  }
}

const addressExample = 'https://figbase.example.org'

/** Masks user and password of the URLs in a text. */
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

/** Reads and freezes settings; throws one ConfigError that names every invalid setting. */
export function readSettings<T extends object>(
  env: Record<string, string | undefined>,
  read: (env: EnvReader) => T,
): Readonly<T> {
  const reader = new EnvReader(env)
  const settings = read(reader)
  if (reader.problems.length > 0) throw new ConfigError([...new Set(reader.problems)].join('\n'))
  return Object.freeze(settings)
}
