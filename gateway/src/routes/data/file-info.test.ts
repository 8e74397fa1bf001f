import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { fileInfo } from './file-info.js'

const { IMAGE, CODE, TEXT, DATAFRAME, FILE } = DataType
const file = (type: DataType, name?: string, metadata?: unknown) =>
  fileInfo({ type, name, metadataJson: metadata === undefined ? '' : JSON.stringify(metadata) })

test('adds the declared format as extension to a name without one', () => {
  for (const [type, name, metadata, expected] of [
    [IMAGE, 'figure', { format: 'png' }, 'figure.png'],
    [IMAGE, 'figure', { format: 'JPEG' }, 'figure.jpg'],
    [IMAGE, 'figure.png', { format: 'svg' }, 'figure.png'],
    [IMAGE, 'Figure 1.5', { format: 'eps' }, 'Figure 1.5.eps'],
    [IMAGE, undefined, {}, 'image'],
    [CODE, 'cell', { language: 'Python', format: 'text' }, 'cell.py'],
    [CODE, 'cell', { language: 'R', format: null }, 'cell.R'],
    [
      CODE,
      'Clean Room Source',
      { language: 'python', format: 'clean_room' },
      'Clean Room Source.py',
    ],
    [CODE, 'history', { language: 'Python', format: 'jupyter-history/json' }, 'history.json'],
    [CODE, 'cell', { language: 'Brainfuck' }, 'cell.txt'],
    [CODE, 'cell', { language: 'constructor' }, 'cell.txt'],
    [IMAGE, 'figure', { format: 'constructor' }, 'figure.constructor'],
    [TEXT, 'notes', [], 'notes.txt'],
    [TEXT, 'manifest', { format: 'json' }, 'manifest.json'],
    [DATAFRAME, 'frame', { format: 'parquet' }, 'frame.parquet'],
    [DATAFRAME, 'frame', { format: 'csv' }, 'frame.csv'],
    [FILE, 'archive.tar.gz', { path: null }, 'archive.tar.gz'],
    [FILE, 'model', 'not an object', 'model'],
    [FILE, 'model', { format: { toString: 1 } }, 'model'],
    [FILE, undefined, undefined, 'data'],
  ] as const) {
    assert.equal(file(type, name, metadata).name, expected)
  }
})

test('replaces path separators, leading dots and misleading characters', () => {
  for (const [name, expected] of [
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\windows\\x.ini', 'C__windows_x.ini'],
    ['.bashrc', 'bashrc'],
    ['...', 'data'],
    ['   ', 'data'],
    ['a\r\nset-cookie: x', 'a__set-cookie_ x'],
    ['photo\u202egnp.exe', 'photo_gnp.exe'],
    ['größe 😀.csv', 'größe 😀.csv'],
    ['100%20.bin', '100%20.bin'],
  ] as const) {
    assert.equal(file(FILE, name).name, expected)
  }
  const long = file(FILE, `${'😀'.repeat(500)}.csv`).name
  assert.equal(long, `${'😀'.repeat(120)}.csv`)
})

test('returns no media type that a browser would run or render as a page', () => {
  for (const [type, format, expected] of [
    [IMAGE, 'png', 'image/png'],
    [IMAGE, 'jpeg', 'image/jpeg'],
    [IMAGE, 'gif', 'image/gif'],
    [IMAGE, 'webp', 'image/webp'],
    [IMAGE, 'avif', 'image/avif'],
    [IMAGE, 'svg', 'application/octet-stream'],
    [IMAGE, 'html', 'application/octet-stream'],
    [IMAGE, 'constructor', 'application/octet-stream'],
    [CODE, 'text', 'text/plain; charset=utf-8'],
    [CODE, 'html', 'text/plain; charset=utf-8'],
    [TEXT, 'svg', 'text/plain; charset=utf-8'],
    [TEXT, 'json', 'application/json'],
    [DATAFRAME, 'csv', 'text/csv'],
    [DATAFRAME, 'parquet', 'application/octet-stream'],
    [FILE, 'html', 'application/octet-stream'],
    [FILE, 'png', 'application/octet-stream'],
  ] as const) {
    assert.equal(file(type, 'x', { format }).type, expected, `${type} ${format}`)
  }
})
