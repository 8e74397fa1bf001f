import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeSvg } from './safe-svg.js'

const inSvg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`
const safe = (inner: string, attributes = '') => safeSvg(inSvg(inner, attributes))

test('keeps what plotting programs draw', () => {
  const kept = safe(
    `<defs><style type="text/css">*{stroke-linecap:butt}</style><path id="m1" d="M0 0L1 1" style="stroke: #000"/>
     <clipPath id="c"><rect x="0" width="10"/></clipPath><linearGradient id="g" xlink:href="#h"/></defs>
     <g id="axes_1" clip-path="url(#c)"><use xlink:href="#m1" x="5"/><text x="1">a &lt; b</text>
     <image xlink:href="data:image/png;base64,iVBORw0K
     GgoAAA==" style="image-rendering:pixelated"/></g>`,
    'viewBox="0 0 10 10"',
  )
  for (const part of [
    'viewBox="0 0 10 10"',
    '*{stroke-linecap:butt}',
    'style="stroke: #000"',
    'clip-path="url(#c)"',
    '<use xlink:href="#m1" x="5">',
    'a &lt; b',
    'data:image/png;base64,iVBORw0K',
    'image-rendering:pixelated',
  ]) {
    assert.ok(kept?.includes(part), part)
  }
})

test('leaves out what is not shown: document types, comments, metadata, events and other namespaces', () => {
  const kept = safeSvg(
    `<?xml version="1.0"?><?xml-stylesheet href="http://a.example/x.css"?>
     <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://a.example/svg11.dtd"><!-- secret -->${inSvg(
       '<metadata><x:a xmlns:x="urn:x"><g>secret</g></x:a></metadata><rect onclick="secret()" ONLOAD="secret()" width="1"/>',
       'xmlns:i="urn:i" i:secret="1" xml:base="http://a.example/" onload="secret()"',
     )}`,
  )
  assert.ok(kept?.includes('<rect width="1">'))
  for (const part of ['secret', 'example', 'DOCTYPE', 'metadata', 'xml:base', 'stylesheet']) {
    assert.ok(!kept?.includes(part), part)
  }
})

test('refuses what runs, loads or links', () => {
  for (const inner of [
    '<script>alert(1)</script>',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
    '<image xlink:href="http://a.example/x.png"/>',
    '<image href="file:///etc/passwd"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<image href="//a.example/x"/>',
    '<a xlink:href="javascript:alert(1)"><rect/></a>',
    '<use xlink:href="other.svg#a"/>',
    '<set attributeName="href" to="javascript:alert(1)"/>',
    '<rect style="fill:url(http://a.example/x)"/>',
    '<rect fill="url(\'//a.example/x#y\')"/>',
    '<rect style="fill:u\\72l(http://a.example/x)"/>',
    '<style>@import "http://a.example/x.css";</style>',
    '<style><![CDATA[rect{fill:url(http://a.example/x)}]]></style>',
    '<style>rect{background:image-set("http://a.example/x" 1x)}</style>',
    '<filter id="f"><feImage href="http://a.example/x"/></filter>',
  ]) {
    assert.equal(safe(inner), undefined, inner)
  }
})

test('refuses what is no well-formed SVG, and entities', () => {
  for (const text of [
    '',
    'text',
    '<svg>',
    '<html xmlns="http://www.w3.org/1999/xhtml"/>',
    '<svg xmlns="urn:x"/>',
    `${inSvg('')}<rect/>`,
    '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>',
    inSvg(`${'<g>'.repeat(150)}${'</g>'.repeat(150)}`),
    inSvg('<q:rect/>'),
  ]) {
    assert.equal(safeSvg(text), undefined, text)
  }
})

test('refuses references that multiply', () => {
  const level = (n: number) => `<g id="l${n}">${`<use xlink:href="#l${n - 1}"/>`.repeat(10)}</g>`
  const bomb = ['<rect id="l0"/>', level(1), level(2), level(3)].join('')
  assert.equal(safe(bomb), undefined)
  const pattern =
    '<pattern id="a"><rect fill="url(#b)"/></pattern><pattern id="b"><rect/></pattern>'
  assert.equal(safe(`${pattern}<rect fill="url(#a)"/>`), undefined)
  assert.ok(safe(`<rect id="l0"/>${level(1)}`))
})

test('a large drawing is read in linear time', () => {
  const path = `<path id="p" d="M0 0L1 1"/>${'<g><use xlink:href="#p" x="1"/></g>'.repeat(40_000)}`
  const begin = performance.now()
  assert.ok(safe(path))
  assert.ok(performance.now() - begin < 10_000)
})
