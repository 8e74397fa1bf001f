import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOf } from './sql.js'

const cases: [string, string][] = [
  ['select id from node where id = $1', 'select node'],
  ['begin', 'begin'],
  ['SELECT 1', 'select'],
  ['select a from "node" n join leaf l on true join node m on true', 'select node, leaf'],
  ['-- prepared\ninsert into node (id) select $1 from path', 'insert node'],
  [
    `with path as materialized (select id from node for update),
          made as (insert into node (id) values ($1) on conflict do update set id = 1)
     delete from leaf using made`,
    'insert node, delete leaf',
  ],
  [
    'update a set b = 1; update c set b = 1; update d set e = 1; update f set g = 1',
    'update a, update c, update d',
  ],
  ["select 'hunter2'", 'select'],
  ['(select 1)', 'statement'],
]

for (const [text, summary] of cases) {
  test(`${text.slice(0, 40)} is ${summary}`, () => assert.equal(summaryOf(text), summary))
}
