import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { NodeType } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import { parquetWriteBuffer } from 'hyparquet-writer'
import sharp from 'sharp'
import { createTextPool } from '../src/text/text-pool.js'
import { corpusFigures } from './corpus.js'
import { endlessPdf, pdf } from './documents.js'
import { failsWith } from './failure.js'
import {
  ada,
  append,
  type Bench,
  change,
  image,
  processed,
  publish,
  startBench,
  type TestObject,
  until,
} from './service.js'
import { textJobsDone, textsOf } from './texts.js'

let bench: Bench
before(async () => {
  bench = await startBench('local', {
    EXTRACTED_TEXT_BYTES_MAX: '10KiB',
    EXTRACTED_TEXT_PER_REVISION_BYTES_MAX: '24KiB',
    TEXT_SOURCE_BYTES_MAX: '1MiB',
  })
})
after(() => bench[Symbol.asyncDispose]())

const object = (dataType: DataType, content: string | Uint8Array, metadata = {}, name = 'x') => ({
  bytes: Buffer.from(content),
  type: dataType,
  name,
  metadataJson: JSON.stringify(metadata),
})
const code = (text: string | Uint8Array) => object(DataType.CODE, text, { language: 'Python' })
const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${inner}</svg>`
const png = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()

const done = () => until(async () => (await textJobsDone(bench)).length === 0)
async function published(...objects: TestObject[]) {
  const revision = await publish(bench, objects)
  await done()
  return revision
}
const eventsOf = async (id: string) =>
  (
    await bench.query<{ id: string }>(
      `select message ->> 'id' as id
         from (select message from outbox union all select message from outbox_sent) e
        where message ->> 'name' = 'revisions.text.extracted.v1' and message ->> 'key' = $1`,
      [id],
    )
  ).length

test('extracts the text of drawings, documents, code, notes and tables in order', async () => {
  const columns = ['station', 'température', 'b, c']
  const table = parquetWriteBuffer({
    columnData: columns.map((name) => ({ name, data: [1, 2], type: 'INT32' as const })),
  })
  const { id } = await published(
    image(Buffer.from(svg('<text>Growth <tspan>rate</tspan></text>')), { format: 'SVG' }),
    image(pdf('BT /F 12 Tf 10 10 Td (Rate of growth) Tj ET'), { format: 'pdf' }),
    code('import numpy\n'),
    object(DataType.TEXT, '{"language": "python"}', { format: 'json', role: 'manifest' }),
    object(DataType.DATAFRAME, 'month;"mean; all"\n1;2\n', { format: 'csv' }),
    object(DataType.DATAFRAME, new Uint8Array(table), { format: 'parquet' }),
    object(DataType.FILE, 'a\tb c\n1\t2\n', { path: '/tmp/means.tsv' }),
    object(DataType.FILE, randomBytes(99), { path: 'model.pickle' }),
  )
  assert.deepEqual(await textsOf(bench, id), [
    ['svg', 'Growth rate'],
    ['pdf', 'Rate of growth'],
    ['plain', 'import numpy'],
    ['plain', '{"language": "python"}'],
    ['columns', 'month\nmean; all'],
    ['columns', columns.join('\n')],
    ['columns', 'a\nb c'],
  ])
  assert.equal(await eventsOf(id), 1)
})

test('tells whether texts will follow, and how many there are', async () => {
  const read = async (id: string) => {
    const request = { id, type: NodeType.FIGURE_REVISION, summary: true, withProcessing: true }
    return (await bench.client.getRevision(request, ada)).processing
  }
  const [note, none] = [object(DataType.TEXT, 'a note'), object(DataType.FILE, randomBytes(9))]
  const { id } = await publish(bench, [note, none])
  await until(async () => !(await read(id))?.isPending)
  assert.equal((await read(id))?.texts, 1)
  assert.deepEqual(await textsOf(bench, id), [['plain', 'a note']])
  const plain = { id, type: NodeType.FIGURE_REVISION, summary: true }
  assert.equal((await bench.client.getRevision(plain, ada)).processing, undefined)
  await bench.query(
    `insert into job (name, key, payload, priority, turn, state, run_at, attempts_max)
     values ('extract-text', $1, '{}', 1, 0, 'delayed', now() + interval '1 h', 1)`,
    [id],
  )
  assert.equal((await read(id))?.isPending, true)
  await bench.query(`update job set state = 'dead' where key = $1`, [id])
  assert.equal((await read(id))?.isPending, false)
})

test('detects an undeclared format by its bytes', async () => {
  const drawing = Buffer.from(svg('<title>A title</title>'))
  const { id } = await published(
    image(drawing, {}),
    image(await png(), {}),
    image(gzipSync(drawing), {}),
  )
  assert.deepEqual(await textsOf(bench, id), [
    ['svg', 'A title'],
    ['svg', 'A title'],
  ])
})

test('a bitmap gets no job for text', async () => {
  const jobs = async () =>
    Number(
      (
        await bench.query<{ n: bigint }>(`select nextval(pg_get_serial_sequence('job', 'id')) as n`)
      )[0]?.n,
    )
  for (const metadata of [{ format: 'png' }, {}]) {
    const before = await jobs()
    const { id } = await published(image(await png(), metadata))
    assert.equal((await jobs()) - before - 1, 1, JSON.stringify(metadata))
    assert.deepEqual(await textsOf(bench, id), [])
    assert.equal(await eventsOf(id), 0)
  }
})

test('extracts the text elements of an SVG in each of their forms, and nothing else', async () => {
  const texts = createTextPool({
    textConcurrency: 1,
    textTimeoutMs: 10_000,
    textBytesMax: 1000,
    textSourceBytesMax: 2 ** 20,
    childMemoryBytesMax: 2 ** 30,
  })
  const read = (bytes: string | Buffer) =>
    texts.extract('svg', Buffer.from(bytes), new AbortController().signal)
  try {
    const cases: [string | Buffer, string][] = [
      [svg('<style>text { fill: red }</style><script>alert(1)</script><path id="text"/>'), ''],
      [
        svg('<!-- made by a program --><g id="text_1"><!-- time (s) --><g><path/></g></g>'),
        'time (s)',
      ],
      [
        svg(
          '<text><tspan x="1">one</tspan><tspan x="1" dy="9">two</tspan><tspan>fold</tspan></text>',
        ),
        'one\ntwofold',
      ],
      [svg('<text>a &lt; b &amp; &#x3b1; &unknown;</text>'), 'a < b & α &unknown;'],
      [svg('<text><![CDATA[1 < 2]]></text><desc>why\n  so</desc>'), '1 < 2\nwhy so'],
      ['<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:text>prefixed</s:text></s:svg>', 'prefixed'],
      [`<!DOCTYPE svg [<!ENTITY x "secret">]>${svg('<text>&x;</text>')}`, '&x;'],
      [Buffer.from(`\ufeff${svg('<text>größer</text>')}`, 'utf16le'), 'größer'],
      [
        Buffer.from(
          `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('<text>größer</text>')}`,
          'latin1',
        ),
        'größer',
      ],
      [svg('<text>cut off').slice(0, -6), 'cut off'],
    ]
    for (const [drawing, expected] of cases) assert.equal(await read(drawing), expected)
  } finally {
    await texts[Symbol.asyncDispose]()
  }
})

test('reads a Japanese document with a character map of ours', async () => {
  const fonts = `/Font << /J << /Type /Font /Subtype /Type0 /BaseFont /M /Encoding /90ms-RKSJ-H
    /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /M
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>
      /FontDescriptor << /Type /FontDescriptor /FontName /M /Flags 4 >> >>] >> >>`
  const { id } = await published(
    image(pdf('BT /J 12 Tf 10 10 Td <93FA967B> Tj ET', { page: fonts }), { format: 'pdf' }),
  )
  assert.deepEqual(await textsOf(bench, id), [['pdf', '日本']])
})

test('skips binary files, and records files that cannot be read', async () => {
  const binary = Buffer.concat([Buffer.from('\x7fELF\0\0'), randomBytes(100)])
  const { id, data } = await published(
    code(binary),
    code(''),
    object(DataType.DATAFRAME, binary, { format: 'csv' }),
    image(Buffer.from('%PDF-1.4 and nothing more'), { format: 'pdf' }),
    object(DataType.FILE, 'PAR1 and nothing more', {}, 'table.parquet'),
    object(DataType.FILE, 'PAR1', {}, 'shorter.parquet'),
    image(Buffer.concat([Buffer.from(svg('')), Buffer.alloc(2 ** 20)]), { format: 'svg' }),
    code('print(1)'),
  )
  assert.deepEqual(await textsOf(bench, id), [['plain', 'print(1)']])
  const failures = await bench.query(
    `select data_id, reason from processing_failure f join external_data d on d.id = data_id
      where f.revision_id = $1 and step = 'text' order by position`,
    [id],
  )
  assert.deepEqual(failures, [
    { data_id: data[3]?.id, reason: 'the document could not be parsed' },
    { data_id: data[4]?.id, reason: 'the table could not be parsed' },
    { data_id: data[5]?.id, reason: 'the table could not be parsed' },
    { data_id: data[6]?.id, reason: 'the file is too large' },
  ])
})

test('limits the text of an object and of a revision', async () => {
  const long = (letter: string) => code(letter.repeat(11 * 1024))
  const { id } = await published(long('a'), long('é'), long('c'), code('short'))
  const texts = await textsOf(bench, id)
  assert.deepEqual(
    texts.map(([, text]) => [text[0], Buffer.byteLength(text)]),
    [
      ['a', 10 * 1024],
      ['é', 10 * 1024],
    ],
  )
})

test('removes the texts of replaced data and publishes an event', async () => {
  const { id } = await published(code('before'))
  assert.equal(await eventsOf(id), 1)
  await append(bench, id, [code('and after')])
  await done()
  assert.deepEqual(await textsOf(bench, id), [
    ['plain', 'before'],
    ['plain', 'and after'],
  ])
  await change(bench, id, [image(await png())])
  assert.deepEqual(await textsOf(bench, id), [])
  await done()
  assert.equal(await eventsOf(id), 3)
  const rows = await bench.query('select from extracted_text where revision_id = $1', [id])
  assert.equal(rows.length, 0)
})

test('a revision does not wait for all data of another one', async () => {
  const notes = Array.from({ length: 450 }, (_, index) => `note ${index}`)
  const large = await published(...notes.map((note) => object(DataType.TEXT, note)))
  const small = await published(code('import numpy'))
  const ids = [large.id, small.id]
  await bench.query('delete from extracted_text where revision_id = any($1)', [ids])
  await bench.query(
    `select enqueue_job('extract-text', id, json_build_object('revisionId', id, 'workspaceId', ''), null, 1, null, 8)
       from unnest($1::text[]) with ordinality as one (id, place) order by place`,
    [ids],
  )
  await done()
  const texts = await textsOf(bench, large.id)
  assert.deepEqual(
    texts.map(([, text]) => text),
    notes,
  )
  const ended = await bench.query<{ key: string }>(
    `select message ->> 'key' as key
       from (select seq, message from outbox union all select seq, message from outbox_sent) e
      where message ->> 'name' = 'revisions.text.extracted.v1' and message ->> 'key' = any($1)
      order by seq desc limit 2`,
    [ids],
  )
  assert.deepEqual(
    ended.map(({ key }) => key),
    ids,
    'the small one ended first',
  )
})

test('retries while a store is unavailable, records the last failure and continues', async () => {
  const { id, data } = await publish(bench, [code('the first'), code('the second')])
  await processed(bench, id)
  await done()
  const [key] = await bench.query<{ key: string }>(
    'select b.key from blob b join external_data d on d.blob_id = b.id where d.id = $1',
    [data[0]?.id],
  )
  await bench.query('delete from extracted_text where revision_id = $1', [id])
  const bytes = Buffer.from('the first')
  await bench.service.objects.delete([key?.key ?? ''])
  const again = (attempts: number) =>
    bench.query(
      `select enqueue_job('extract-text', $1::text, json_build_object('revisionId', $1::text, 'workspaceId', ''), null, 0, null, $2)`,
      [id, attempts],
    )
  await again(8)
  await until(async () => (await textJobsDone(bench))[0]?.attempts === 1)
  assert.deepEqual(await textsOf(bench, id), [])
  await bench.service.objects.put(key?.key ?? '', one(bytes))
  await done()
  assert.deepEqual(await textsOf(bench, id), [
    ['plain', 'the first'],
    ['plain', 'the second'],
  ])

  await bench.query('delete from extracted_text where revision_id = $1', [id])
  await bench.service.objects.delete([key?.key ?? ''])
  await again(8)
  await bench.query(`update job set attempts = 7, run_at = now() where name = 'extract-text'`)
  await done()
  assert.deepEqual(await textsOf(bench, id), [['plain', 'the second']])
  const [failure] = await bench.query<{ reason: string }>(
    'select reason from processing_failure where data_id = $1',
    [data[0]?.id],
  )
  assert.equal(failure?.reason, 'text extraction failed')
})

async function* one(bytes: Uint8Array) {
  yield bytes
}

test('a picture does not wait for slow texts', async () => {
  await using busy = await startBench('local', { TEXT_TIMEOUT: '60s' })
  for (const name of ['one.pdf', 'another.pdf', 'a third.pdf']) {
    await publish(busy, [object(DataType.FILE, endlessPdf(), {}, name)])
  }
  await until(async () => (await textJobsDone(busy)).some(({ attempts }) => attempts > 0))
  const { id } = await publish(busy, [image(await png(), { format: 'png' })])
  assert.ok((await processed(busy, id)).hasThumbnail)
  // The text jobs are still running. The picture's own text job may be among them.
  assert.ok((await textJobsDone(busy)).length >= 3)
})

test('only the system can read texts, of a limited number of revisions', async () => {
  const read = async (revisionIds: string[], as = ada) => {
    for await (const _ of bench.client.readTexts({ revisionIds }, as)) return
  }
  await failsWith(read([]), { code: 'PermissionDenied' })
  assert.deepEqual(await textsOf(bench, 'none'), [])
  await failsWith(textsOf(bench, ...Array.from({ length: 1001 }, () => 'x')), {
    field: 'revision_ids',
  })
})

test('figures of the corpus have the text that they show', async () => {
  const drawings = (await corpusFigures(200)).filter(({ name }) => name.endsWith('.svg'))
  let withWords = 0
  for (const { name, bytes } of drawings.slice(0, 20)) {
    const { id } = await published(image(bytes, { format: 'svg' }))
    const [text] = await textsOf(bench, id)
    if (!bytes.includes('<text')) continue
    withWords++
    assert.ok(text?.[1], name)
    assert.doesNotMatch(text[1], /[<>]/)
  }
  assert.ok(withWords > 5)
})
