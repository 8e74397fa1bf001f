import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataName } from './data-name.js'
import { splitIdentifier } from './split-identifier.js'

test('splits identifiers at signs and at the case', () => {
  assert.equal(splitIdentifier('Miles_per_Gallon'), 'Miles per Gallon')
  assert.equal(splitIdentifier('milesPerGallon'), 'miles Per Gallon')
  assert.equal(splitIdentifier('df$body.mass'), 'df body mass')
  assert.equal(splitIdentifier('größeÄnderung'), 'größe Änderung')
})

test('keeps names with digits, and drops colors and hashes', () => {
  for (const name of ['log2FC', 'p53', 'Δψm', 'IL6']) assert.equal(splitIdentifier(name), name)
  assert.equal(splitIdentifier('#416D9D'), '')
  assert.equal(splitIdentifier('da39a3ee5e6b4b0d'), '')
  assert.equal(splitIdentifier('facade'), 'facade')
})

test('the words of a file are those of its name', () => {
  assert.equal(dataName('data/seattle-weather.csv'), 'seattle weather')
  assert.equal(dataName('https://example.org/a/US_airports.json?v=1#x'), 'US airports')
})
