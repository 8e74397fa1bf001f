import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { type Declared, type TextSource, textSourceOf } from './text-source.js'

const { IMAGE, CODE, TEXT, DATAFRAME, FILE } = DataType

const cases: [Partial<Declared>, TextSource | undefined][] = [
  [{ type: CODE, format: 'jupyter-history/json' }, 'plain'],
  [{ type: TEXT }, 'plain'],
  [{ type: DATAFRAME }, 'columns'],
  [{ type: DATAFRAME, format: 'CSV' }, 'columns'],
  [{ type: DATAFRAME, format: 'parquet', name: 'x' }, 'columns'],
  [{ type: DATAFRAME, format: 'feather' }, undefined],
  [{ type: IMAGE, format: 'SVG' }, 'picture'],
  [{ type: IMAGE, name: 'plot.pdf' }, 'picture'],
  [{ type: IMAGE }, 'picture'],
  [{ type: IMAGE, format: 'png', name: 'plot.svg' }, undefined],
  [{ type: IMAGE, name: 'plot.PNG' }, undefined],
  [{ type: IMAGE, format: 'eps' }, undefined],
  [{ type: FILE, name: 'means.csv' }, 'columns'],
  [{ type: FILE, name: 'means', path: 'C:\\data\\means.TSV' }, 'columns'],
  [{ type: FILE, path: '/home/ada/fit.R' }, 'plain'],
  [{ type: FILE, name: 'paper.pdf' }, 'picture'],
  [{ type: FILE, name: 'model.pickle' }, undefined],
  [{ type: FILE }, undefined],
  [{ type: DATAFRAME, name: 'means' }, 'columns'],
  [{ type: FILE, name: 'notes.md.bak' }, undefined],
  [{ type: FILE, name: 'notes.' }, undefined],
  [{ type: FILE, name: 'md' }, undefined],
]
const plain =
  'bash c cc cpp cs css do f f90 go h hpp java jl js json kt lua m md php pl pro ps1 py qmd r rb rmd rs rst sas scala sh sql swift tex toml ts txt xml yaml yml'
for (const ending of plain.split(' ')) cases.push([{ type: FILE, name: `a.${ending}` }, 'plain'])

for (const [declared, expected] of cases) {
  test(`the text source of ${JSON.stringify(declared)} is ${expected}`, () => {
    const data = { type: FILE, name: null, format: null, path: null, ...declared }
    assert.equal(textSourceOf(data), expected)
  })
}
