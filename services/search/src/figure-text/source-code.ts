import { chartOfCall, isSubplots } from './chart-calls.js'
import { type CodeText, emptyCodeText } from './code-text.js'
import { dataName } from './data-name.js'
import { type SourceToken, sourceTokens } from './source-tokens.js'
import { splitIdentifier } from './split-identifier.js'

/** Calls and arguments whose text is drawn. */
const titleNames =
  /^(?:set_?)?(?:[xyzc]?_?lab(?:el)?s?|[xyz]axis|(?:sup|sub|gg|main|chart|plot|legend|axis)?_?title|main|caption|annotate|legend|name|text)$/i
/** Arguments and calls whose text or name is a column. */
const fieldNames =
  /^(?:x|y|z|r|theta|hue|colou?r|fill|size|shape|style|group|groupby|group_by|col|row|facet|facet_wrap|facet_grid|weight|values|labels|ymin|ymax|linetype|by)$/i
const readNames = /^(?:read|load|open|fetch|import|scan)(?:_?\w*)$/i
const importNames = ['import', 'from', 'library', 'require', 'using']
const perKindMax = 200

/** What code in Python, R, Julia, MATLAB or a similar language says. Takes linear time for any text. */
export function readSourceCode(code: string): CodeText {
  const text = emptyCodeText()
  /** The call or the argument that the next string belongs to. */
  let owner = ''
  let previous: SourceToken = { kind: 'sign', text: '' }
  let isImport = false
  const add = (kind: keyof CodeText, words: string) => {
    if (/\p{L}{2}/u.test(words) && text[kind].length < perKindMax) text[kind].push(words)
  }
  for (const token of sourceTokens(code)) {
    if (token.kind === 'comment') add('comments', token.text)
    else if (token.kind === 'string') add(...placeOf(token.text, owner, previous))
    else if (token.kind === 'name') {
      const isArgument = previous.kind === 'sign' && ['=', '~'].includes(previous.text)
      if (token.isCall) {
        const chart = chartOfCall(token.text)
        if (chart) add('charts', chart)
        if (isSubplots(token.text)) add('features', 'subplots, small multiples')
      } else if (isImport) add('data', splitIdentifier(token.text))
      else if (isArgument && (fieldNames.test(owner) || previous.text === '~')) {
        add('fields', splitIdentifier(token.text))
      } else if (previous.kind === 'sign' && previous.text === '$') {
        add('fields', splitIdentifier(token.text))
      }
      isImport = importNames.includes(token.text)
      if (!isArgument || token.isCall) owner = token.text
    }
    previous = token
  }
  return text
}

function placeOf(text: string, owner: string, previous: SourceToken): [keyof CodeText, string] {
  if (previous.kind === 'sign' && previous.text === '[') return ['fields', splitIdentifier(text)]
  if (titleNames.test(owner)) return ['titles', text]
  if (readNames.test(owner) || /\.(?:csv|tsv|json|xlsx?|parquet|h5|nc|fits|mat|rds)$/i.test(text)) {
    return ['data', dataName(text)]
  }
  if (fieldNames.test(owner)) return ['fields', splitIdentifier(text)]
  return ['values', text]
}
