import type { StreamParser } from '@codemirror/language'
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript'
import { julia } from '@codemirror/legacy-modes/mode/julia'
import { octave } from '@codemirror/legacy-modes/mode/octave'
import { python } from '@codemirror/legacy-modes/mode/python'
import { r } from '@codemirror/legacy-modes/mode/r'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import { standardSQL } from '@codemirror/legacy-modes/mode/sql'
import { yaml } from '@codemirror/legacy-modes/mode/yaml'

/** Reads the tokens of a language line by line. */
export type Language = StreamParser<unknown>

const languages: Record<string, Language> = {
  py: python,
  r,
  jl: julia,
  m: octave,
  sql: standardSQL,
  json,
  ipynb: json,
  yaml,
  yml: yaml,
  sh: shell,
  bash: shell,
  js: javascript,
  ts: javascript,
}

/** The language of a file by its extension. */
export function languageOf(fileName: string): Language | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(languages, extension) ? languages[extension] : undefined
}
