import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFileName, toFileNames } from '../src/file-names.js'

test('a name of the server cannot leave the folder', () => {
  assert.equal(toFileName('../../etc/passwd'), '_.._etc_passwd')
  assert.equal(toFileName('..'), 'unnamed')
  assert.equal(toFileName('/bin/sh'), '_bin_sh')
  assert.equal(toFileName('a\\b:c'), 'a_b_c')
  assert.equal(toFileName('\u001b[2Jx\u0000.png'), 'x .png')
  assert.equal(toFileName('.bashrc'), 'bashrc')
  assert.ok(Buffer.byteLength(toFileName('ü'.repeat(300))) <= 200)
})

test('all names of a revision differ, and pictures have an extension', () => {
  const image = { name: 'figure', type: 'image', metadata: { format: 'png' } }
  const file = { name: 'Raw.csv', type: 'file', metadata: {} }
  assert.deepEqual(
    toFileNames([image, image, file, { ...file, name: 'raw.csv' }, { ...file, name: null }]),
    ['figure.png', 'figure (2).png', 'Raw.csv', 'raw (2).csv', 'file'],
  )
  const hostile = { ...image, metadata: { format: '../x' } }
  assert.deepEqual(toFileNames([hostile]), ['figure'])
})
