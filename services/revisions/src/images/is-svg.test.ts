import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { isSvg } from './is-svg.js'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
const packed = gzipSync(`<!--${' '.repeat(900)}-->${svg}`)

const drawings: [string, Buffer][] = [
  ['plain', Buffer.from(svg)],
  ['with a declaration', Buffer.from(`<?xml version="1.0"?>\n<!DOCTYPE svg>\n${svg}`)],
  ['after white space', Buffer.from(`\n\t ${svg}`)],
  ['with a byte order mark', Buffer.from(`\ufeff${svg}`)],
  ['in UTF-16', Buffer.from(`\ufeff${svg}`, 'utf16le')],
  ['with a prefix', Buffer.from('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>')],
  ['compressed', packed],
]
for (const [name, bytes] of drawings) {
  test(`detects an SVG: ${name}`, () => assert.ok(isSvg(bytes)))
}

const others: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['HTML', Buffer.from('<html><body></body></html>')],
  ['a PNG that says svg', Buffer.from('\x89PNG\r\n\x1a\n <svg>', 'latin1')],
  ['a GIF that says svg', Buffer.from('GIF89a <svg>')],
  ['text that says svg', Buffer.from(`see ${svg}`)],
  ['something else, compressed', gzipSync('RDX3')],
  ['a gzip that is damaged', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
]
for (const [name, bytes] of others) {
  test(`does not detect an SVG: ${name}`, () => assert.ok(!isSvg(bytes)))
}
