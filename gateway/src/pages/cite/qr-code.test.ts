import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '@figbase/kit/text'
import decodeQR from 'qr/decode.js'
import { qrCode } from './qr-code.js'

test('draws a QR code that leads to the address', () => {
  const address = 'https://figures.example.org/r/123456789'
  const markup = qrCode(address, html`"<`).toString()
  const side = Number(/viewBox="0 0 (\d+)/.exec(markup)?.[1])
  assert.ok(side > 20)
  const scale = 8
  const width = side * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let i = 0; i < scale * scale; i++) {
      const [column, row] = [
        Number(x) * scale + (i % scale),
        Number(y) * scale + Math.floor(i / scale),
      ]
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  }
  assert.equal(decodeQR({ width, height: width, data }), address)
})
