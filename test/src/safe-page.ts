import assert from 'node:assert/strict'

/** Checks that a page cannot run scripts, load from other sites, or be framed. */
export function expectSafePage(text: string, headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'self'; (connect-src 'self'; )?img-src 'self' data:;/,
  )
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(headers.get('vary') ?? '', /accept-language/i)
  assert.equal(headers.get('content-language'), 'en')
  assert.match(text, /<script src="\/assets\/pages-[0-9a-f]+\.js\/" defer><\/script>/)
  const ours = text.match(
    /<script src="\/assets\/(pages|publish)-[0-9a-f]+\.js\/" defer><\/script>/g,
  )
  assert.equal(text.match(/<script/g)?.length, ours?.length)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  // New comments have forms.
  const hasForm = text.includes('<form') || text.includes('data-event="comment"')
  assert.equal(headers.get('referrer-policy'), hasForm ? 'same-origin' : 'no-referrer')
  assert.match(policy, hasForm ? /form-action 'self'/ : /form-action 'none'/)
  assert.equal(headers.get('x-frame-options'), 'DENY')
  for (const { name, attributes } of elementsOf(text)) {
    assert.ok(elements.has(name), `<${name}> is not allowed`)
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.doesNotMatch(attribute, /^on|^style$|^srcdoc$/)
      if (!/^(href|src)$/.test(attribute)) continue
      assert.match(value, /^(#main$|\/(?!\/)|data:image\/(png;base64|svg\+xml),)/)
    }
    if (name === 'img') assert.ok('alt' in attributes)
  }
  assert.match(text, /<meta name="viewport" content="width=device-width, initial-scale=1">/)
  assert.match(text, /^<!doctype html>\n<html lang="en-GB">/)
  assert.equal(text.match(/<h1>/g)?.length, 1)
}

const elements = new Set(
  'html head meta section title link style script body header nav main footer article p h1 h2 h3 a bdi span time div img pre code ul li table thead tbody tr th td ins del mark form label input select option button fieldset legend details summary svg ol figure path rect text defs marker strong em'.split(
    ' ',
  ),
)

/** All start tags of a page; throws for malformed ones. */
function elementsOf(text: string) {
  const attribute = String.raw`\s+([\w:-]+)(?:="([^"]*)")?`
  const begun = [...text.matchAll(new RegExp(`<([a-z]\\w*)((?:${attribute})*)>`, 'g'))]
  assert.equal(begun.length, text.match(/<[^/!]/g)?.length, 'each < should begin an element')
  return begun.map(([, name = '', rest = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...rest.matchAll(new RegExp(attribute, 'g'))].map(([, key = '', value = '']) => [
        key,
        value,
      ]),
    ),
  }))
}
