import { BodyError } from './body-error.js'

// States of the scanner.
const [syntaxError, done, value, firstItem, firstName, name, colon, afterValue] = [
  0, 1, 2, 3, 4, 5, 6, 7,
]
const [string, inEscape, hex1, hex2, hex3, hex4] = [8, 9, 10, 11, 12, 13]
const [minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits] = [
  14, 15, 16, 17, 18, 19, 20, 21,
]
const firstWordState = 22
// Actions: transitions that need more than a new state. Their numbers begin here.
const [openObject, openList, close, comma, startName, startEscape, endString, endNumber, endWord] =
  [64, 65, 66, 67, 68, 69, 70, 71, 72]

const table = makeTable()

/**
 * Reads one JSON value byte by byte, across chunks: where it ends, and whether it is valid by RFC
 * 8259. Twice as fast as JSON.parse on long values, and it makes no garbage. UTF-8 is not checked.
 */
export class ValueScan {
  hasEscapes = false
  isAscii = true
  readonly #depthMax: number
  // For each open bracket, whether it opened an object.
  readonly #objects: boolean[] = []
  #state = value
  #isName = false
  #outer = 0
  #field = ''

  constructor(depthMax: number) {
    this.#depthMax = depthMax
  }

  start(field: string, outerDepth: number): void {
    this.hasEscapes = false
    this.isAscii = true
    this.#objects.length = 0
    this.#state = value
    this.#isName = false
    this.#outer = outerDepth
    this.#field = field
  }

  get isDone(): boolean {
    return this.#state === done
  }

  get isInvalid(): boolean {
    return this.#state === syntaxError
  }

  /** Returns the position after the value, that of a syntax error, or `end`. */
  advance(chunk: Buffer, start: number, end: number): number {
    const transitions = table
    let state = this.#state
    let bits = 0
    let i = start
    for (; i < end && state > done; i++) {
      const byte = chunk[i] ?? 0
      bits |= byte
      const next = transitions[(state << 8) | byte] ?? syntaxError
      state = next < openObject ? next : this.#act(next, byte)
      if (next === endNumber || state === syntaxError) i--
    }
    if (bits > 0x7f) this.isAscii = false
    this.#state = state
    return i
  }

  /** Reports the end of the body, which also ends a number. */
  end(): void {
    const isNumber = table[(this.#state << 8) | 0x20] === endNumber
    this.#state = isNumber && this.#objects.length === 0 ? done : syntaxError
  }

  #act(action: number, byte: number): number {
    switch (action) {
      case openObject:
        this.#open(true)
        return firstName
      case openList:
        this.#open(false)
        return firstItem
      case close:
        return this.#objects.pop() === (byte === 0x7d) ? this.#afterValue() : syntaxError
      case comma:
        return this.#objects.at(-1) ? name : value
      case startName:
        this.#isName = true
        return string
      case startEscape:
        this.hasEscapes = true
        return inEscape
      case endString:
        if (!this.#isName) return this.#afterValue()
        this.#isName = false
        return colon
      default:
        return this.#afterValue()
    }
  }

  #open(isObject: boolean): void {
    if (this.#outer + this.#objects.push(isObject) > this.#depthMax) {
      const reason = `Values are nested deeper than ${this.#depthMax} levels.`
      throw new BodyError(this.#field, reason, 'invalid')
    }
  }

  #afterValue(): number {
    return this.#objects.length === 0 ? done : afterValue
  }
}

/** For each state and byte, the next state or an action; all others are errors. */
function makeTable(): Uint8Array {
  const made = new Uint8Array(64 * 256)
  const on = (states: number[], characters: string, next: number): void => {
    for (const state of states)
      for (const byte of Buffer.from(characters)) made[(state << 8) | byte] = next
  }
  const space = ' \t\r\n'
  for (const state of [value, firstItem, firstName, name, colon, afterValue])
    on([state], space, state)

  const values = [value, firstItem]
  on(values, '{', openObject)
  on(values, '[', openList)
  on(values, '"', string)
  on([firstItem], ']', close)
  on([firstName], '}', close)
  on([firstName, name], '"', startName)
  on([colon], ':', value)
  on([afterValue], '}]', close)
  on([afterValue], ',', comma)

  made.fill(string, (string << 8) | 0x20, (string + 1) << 8)
  on([string], '"', endString)
  on([string], '\\', startEscape)
  on([inEscape], '"\\/bfnrt', string)
  on([inEscape], 'u', hex1)
  const hex = '0123456789abcdefABCDEF'
  for (const state of [hex1, hex2, hex3]) on([state], hex, state + 1)
  on([hex4], hex, string)

  on(values, '-', minus)
  on([...values, minus], '0', zero)
  on([...values, minus], '123456789', digits)
  on([digits], '0123456789', digits)
  on([zero, digits], '.', point)
  on([point, fraction], '0123456789', fraction)
  on([zero, digits, fraction], 'eE', exponent)
  on([exponent], '+-', exponentSign)
  on([exponent, exponentSign, exponentDigits], '0123456789', exponentDigits)
  on([zero, digits, fraction, exponentDigits], `${space},]}`, endNumber)

  let free = firstWordState
  for (const word of ['true', 'false', 'null']) {
    let from = values
    for (const letter of word.slice(0, -1)) {
      on(from, letter, free)
      from = [free++]
    }
    on(from, word.slice(-1), endWord)
  }
  return made
}
