import { notebookCode } from '@figbase/kit/text'
import { type CodeText, emptyCodeText } from './code-text.js'
import { jsonStrings } from './json-strings.js'
import { type Json, parseJson } from './json-value.js'
import { isPlotly, readPlotly } from './plotly.js'
import { readSourceCode } from './source-code.js'
import { splitIdentifier } from './split-identifier.js'
import { isVegaLite, readVegaLite } from './vega-lite.js'

const stringsMax = 500
/** So many characters that cannot be in text are enough to call it binary. */
const binary = /\p{Cc}/gu

/**
 * What code says about its figure: a specification of Vega-Lite or Plotly, a notebook, or code in any language. Text
 * after `charsMax` characters is ignored, and so are binary files.
 */
export function readCode(text: string, charsMax: number): CodeText {
  const head = text.slice(0, 4000)
  const isBinary = (head.replace(/\s/g, '').match(binary)?.length ?? 0) > head.length / 20
  if (isBinary) return emptyCodeText()
  const json = parseJson(text, charsMax)
  return json === undefined ? readSourceCode(text.slice(0, charsMax)) : readJson(json)
}

function readJson(json: Json): CodeText {
  const notebook = notebookCode(json)
  if (notebook !== undefined) return readSourceCode(notebook)
  if (isVegaLite(json)) return readVegaLite(json)
  if (isPlotly(json)) return readPlotly(json)
  const { keys, texts } = jsonStrings(json, stringsMax)
  return { ...emptyCodeText(), fields: keys.map(splitIdentifier), values: texts }
}
