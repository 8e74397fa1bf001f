import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf, wantsCsv } from './csv.js'

test('Accept asks for CSV if it prefers it to JSON', () => {
  for (const accept of [
    'text/csv',
    'TEXT/CSV; charset=utf-8',
    'text/*',
    'text/csv, */*;q=0.1',
    'text/csv, application/json',
    'application/json;q=0.5, text/csv',
  ]) {
    assert.equal(wantsCsv({ accept }), true, accept)
  }
  for (const accept of [
    undefined,
    '',
    ',',
    '*/*',
    'text/html',
    'application/json',
    'application/json, text/csv',
    'text/csv;q=0.5, application/json',
    'text/csv;q=0',
    'text/csvx',
  ]) {
    assert.equal(wantsCsv({ ...(accept !== undefined && { accept }) }), false, accept)
  }
})

test('a table has a line of names and a line for each row, and no formulas', async () => {
  async function* rows() {
    yield { name: 'ann', tokens: 1 }
    yield { name: 'a "b", c', tokens: 2 ** 53 }
    for (const name of ['=1+1', '+1', '-1', '@sum', '\t=1']) yield { name, tokens: 0 }
  }
  let text = ''
  for await (const part of csvOf(['name', 'tokens'], rows())) text += part
  assert.deepEqual(text.split('\r\n'), [
    'name,tokens',
    'ann,1',
    '"a ""b"", c",9007199254740992',
    `"'=1+1",0`,
    `"'+1",0`,
    `"'-1",0`,
    `"'@sum",0`,
    `"'\t=1",0`,
    '',
  ])
})
