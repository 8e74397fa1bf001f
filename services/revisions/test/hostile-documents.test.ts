import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { DataType } from '@figbase/proto/revisions'
import { drawing, endlessPdf, eps, form, pdf } from './documents.js'
import { renderers } from './renderers.js'
import { canary, type Sandbox, startSandbox } from './sandbox.js'

/** Like hostile-vector-images.test.ts, for documents and tables. */
let sandbox: Sandbox
before(async () => {
  sandbox = await startSandbox()
})
after(() => sandbox[Symbol.asyncDispose]())

test('document bombs end in time', async () => {
  const zeros = deflateSync(deflateSync(Buffer.alloc(200 * 2 ** 20)))
  const image = `20 0 obj << /Type /XObject /Subtype /Image /Width 2000000000 /Height 2000000000
    /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter [/FlateDecode /FlateDecode]
    /Length ${zeros.length} >> stream\n${zeros.toString('latin1')}\nendstream endobj\n`
  const documents = [
    endlessPdf(),
    pdf('/X Do', { page: drawing(10), objects: form(10, drawing(10), '/X Do /X Do') }),
    pdf('300 0 0 200 0 0 cm /X Do', { page: drawing(20), objects: image }),
    '%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n' +
      '2 0 obj << /Type /Pages /Kids [2 0 R 2 0 R] /Count 2000000000 >> endobj\n' +
      'trailer << /Root 1 0 R >>\n%%EOF',
    pdf('[ '.repeat(500_000)),
    pdf('0 0 9 9 re f', { box: '-1e30 -1e30 1e30 1e30' }),
    pdf('0 0 9 9 re f', { box: '0 0 0 0' }),
    pdf('q '.repeat(1_000_000)),
  ]
  for (const { texts } of await sandbox.pictures('pdf', documents)) assert.deepEqual(texts, [])
})

test('a document with references to files and URLs reads none', async () => {
  const documents = sandbox.places.map((place) => {
    const file = `<< /Type /Filespec /F (${place}) /UF (${place}) >>`
    const stream = '/Length 0 >> stream\n\nendstream endobj'
    const objects = `
      20 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /F ${file} ${stream}
      21 0 obj << /Type /XObject /Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray
        /BitsPerComponent 8 /F ${file} ${stream}
      22 0 obj << /Type /XObject /Subtype /PS /F ${file} ${stream}`
    const page = '/XObject << /A 20 0 R /B 21 0 R /C 22 0 R >>'
    const action = `/OpenAction << /S /Launch /F ${file} /Next << /S /URI /URI (${place}) >> >>`
    return pdf('BT /F 9 Tf (a word) Tj ET /A Do /B Do /C Do', { page, objects })
      .toString('latin1')
      .replace('/Catalog', `/Catalog ${action}`)
  })
  for (const { texts } of await sandbox.pictures('pdf', documents)) {
    assert.ok(texts.join().includes('a word'))
    assert.ok(!texts.join().includes(canary))
  }
  assert.equal(sandbox.requests(), 0)
})

test('an EPS cannot read, write, delete or start anything, or run forever', async () => {
  const victim = sandbox.inFolder('victim')
  await writeFile(victim, 'here')
  const path = `(${victim})`
  const made = sandbox.inFolder('made')
  const forbidden = [
    `(${sandbox.inFolder('canary')}) (r) file 99 string readstring pop show`,
    `(${sandbox.inFolder('canary')}) run`,
    `(${made}) (w) file dup (x) writestring closefile`,
    `${path} (a) file dup (x) writestring closefile`,
    `${path} deletefile`,
    `${path} (${made}) renamefile`,
    `(%pipe%touch ${made}) (w) file closefile`,
    `<< /OutputFile (%pipe%touch ${made}) >> setpagedevice showpage`,
    `<< /OutputFile (${made}) >> setpagedevice showpage`,
    `<< /LockSafetyParams false /SafetyParams false >> setuserparams ${path} deletefile`,
    `<< /PermitFileWriting [(*)] /PermitFileControl [(*)] >> setuserparams ${path} deletefile`,
    '(HOME) getenv',
  ]
  const endless = [
    `(${sandbox.inFolder('*')}) { deletefile } 99 string filenameforall`,
    '{ grestoreall } loop',
    '{ } loop',
    '/f { f f } def f',
    '/a 1 array def { /a [ a 16#ffff array ] def } loop',
    '0 1 1000000000 { 0 moveto 300 200 lineto stroke } for',
    '{ showpage } loop',
    '(%stdin) (r) file { dup read not { exit } if pop } loop (%lineedit) (r) file',
    '(%stdout) (w) file dup (no picture) writestring flushfile quit',
    '',
  ]
  const boxes = ['0 0 1e300 1e300', '-2147483648 -2147483648 2147483647 2147483647', '0 0 9 1e9']
  const odd = boxes.map((box) => eps('0 0 9 9 rectfill', box))
  const outcomes = await sandbox.pictures('eps', [
    ...[...forbidden, ...endless].map((program) => eps(program)),
    ...odd,
  ])
  for (const { texts } of outcomes) assert.deepEqual(texts, [])
  for (const { isShown } of outcomes.slice(0, forbidden.length)) assert.equal(isShown, false)
  assert.equal(await readFile(victim, 'utf8'), 'here')
  await assert.rejects(access(made))
  assert.equal(sandbox.requests(), 0)
})

test('malformed tables end, and only their columns are read', async () => {
  const footer = (length: number, bytes: Buffer) => {
    const tail = Buffer.from('0000PAR1')
    tail.writeUInt32LE(length, 0)
    return Buffer.concat([Buffer.from('PAR1'), bytes, tail])
  }
  // A version, then a list of 2^31 structures.
  const list = Buffer.from('1502' + '19fcffffffff07', 'hex')
  const table = (name: string) => (bytes: Buffer | string) => ({
    bytes: Buffer.from(bytes),
    type: DataType.FILE,
    name,
    metadataJson: '{}',
  })
  const parquet = await sandbox.outcomes(
    [
      footer(2 ** 32 - 1, Buffer.alloc(9)),
      footer(list.length, list),
      footer(2 ** 20, Buffer.alloc(2 ** 20, 0x1c)),
      footer(2 ** 20, Buffer.alloc(2 ** 20, 0xff)),
    ].map(table('a.parquet')),
  )
  for (const { reasons, texts } of parquet) assert.deepEqual([reasons.length, texts], [1, []])
  const csv = await sandbox.outcomes(
    [
      `${'"a" "'.repeat(100_000)}\n1,2`,
      '"" '.repeat(100_000),
      `${' '.repeat(100_000)}"`,
      `a,b\n${'1,2\n'.repeat(100_000)}`,
    ].map(table('a.csv')),
  )
  for (const { texts } of csv) assert.ok(texts.join().length <= 64 * 1024)
  assert.deepEqual(csv.at(-1)?.texts, ['a\nb'])
})

test('names are never used as arguments', async () => {
  const made = sandbox.inFolder('made')
  const names = [
    `$(touch ${made})`,
    `\`touch ${made}\`.pdf`,
    `; touch ${made} ;`,
    `| touch ${made}`,
    `-sOutputFile=${made}`,
    `%pipe%touch ${made}`,
    '--help',
    `../../../..${made}.pdf`,
    'a\nb\u2028.pdf',
  ]
  const outcomes = await sandbox.outcomes(
    names.map((name) => ({
      bytes: pdf('0 0 9 9 re f'),
      type: DataType.IMAGE,
      name,
      metadataJson: JSON.stringify({ format: 'pdf', path: name }),
    })),
  )
  for (const { isShown } of outcomes) assert.equal(isShown, renderers.pdf !== undefined)
  await assert.rejects(access(made))
})
