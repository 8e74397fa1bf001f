import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A regular expression that skips very long strings, for which matching would overflow the stack. */
const stackSafeRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const regExp = new RegExp(pattern, flags)
    return Object.assign(regExp, {
      test: (text: string) => text.length > 1_000_000 || regExp.exec(text) !== null,
    })
  },
  { code: 'new RegExp' },
)

/** UTC, with six digits of the second; `info/` has three. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6})Z$/

export function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    code: { regExp: stackSafeRegExp, optimize: false },
  })
  formats.default(ajv)
  ajv.addFormat('date-time', TIME)
  ajv.removeKeyword('contentEncoding')
  ajv.addKeyword({
    keyword: 'contentEncoding',
    type: 'string',
    validate: (_: string, text: string) => Buffer.from(text, 'base64').toString('base64') === text,
  })
  return ajv
}
