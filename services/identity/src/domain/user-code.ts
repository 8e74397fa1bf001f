import { randomInt } from 'node:crypto'
import { hashOf } from './random-token.js'

/** Without vowels and digits: no words, and no letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const half = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')

/** 34 random bits, such as `BCDF-GHJK`: they are valid for minutes, and attempts are limited. */
export const newUserCode = (): string => `${half()}-${half()}`

/** Ignores case, and everything that is not a letter. */
export const hashOfUserCode = (text: string): Buffer =>
  hashOf(text.toUpperCase().replace(/[^A-Z]/g, ''))
