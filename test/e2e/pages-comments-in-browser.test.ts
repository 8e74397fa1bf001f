import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Browser, openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { newComment } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { newPlace, newRevision } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

const skip = withoutBrowser

/** Another site with a page that does everything that our pages must not do. */
async function startOtherSite() {
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(req.url ?? '')
    res.setHeader('content-type', 'text/html')
    res.end(req.url === '/' ? '<script>alert(1)</script><img src="/picture.png">' : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    requests,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const hostileComments = (elsewhere: string) => [
  '<script>alert(1)</script>',
  `<script src="${elsewhere}a.js"></script>`,
  `<img src="${elsewhere}b.png" onerror=alert(1)> <img src=x onerror="alert(1)">`,
  `<svg onload=alert(1)><image href="${elsewhere}c.png"/><use href="${elsewhere}d.svg#x"/></svg>`,
  `<iframe src="${elsewhere}e"></iframe><object data="${elsewhere}f"></object><embed src="${elsewhere}g">`,
  `<link rel=stylesheet href="${elsewhere}h.css"><link rel=prefetch href="${elsewhere}i">`,
  `<style>@import "${elsewhere}j.css"; body { background: url(${elsewhere}k.png) }</style>`,
  `<meta http-equiv=refresh content="0;url=${elsewhere}l"><base href="${elsewhere}">`,
  `<video src="${elsewhere}m.mp4" autoplay poster="${elsewhere}n.png"></video><audio src="${elsewhere}o" autoplay></audio>`,
  `<p style="background: url(${elsewhere}p.png)" onmouseover=alert(1)>over</p><details open ontoggle=alert(1)>`,
  `</p></div></li></ul></section></article></main><script>alert(1)</script><img src="${elsewhere}q.png">`,
  '<input autofocus onfocus=alert(1)><marquee onstart=alert(1)><body onload=alert(1)>',
  `![a picture](${elsewhere}r.png) ![](${elsewhere}s.png "title")`,
  `[![in a link](${elsewhere}t.png)](${elsewhere}u)`,
  `![x][y]\n\n[y]: ${elsewhere}v.png`,
  `[x](javascript:alert(1)) ![x](javascript:alert(1)) <javascript:alert(1)>`,
  '[x](JaVa&#x0A;ScRiPt&colon;alert&lpar;1&rpar;) [x](&#106;avascript:alert(1)) [x](\u0001javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>) ![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[x](vbscript:msgbox(1)) [x](//elsewhere.example) [x](\\\\elsewhere.example) [x](/sign-in/)',
  `[x](${elsewhere}"onmouseover="alert(1)) [x](<${elsewhere}" onclick="alert(1)>)`,
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  `a | b\n:-: | -\n<img src=x onerror=alert(1)> | ![x](${elsewhere}w.png)`,
  '&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"><textarea><template><xmp><plaintext>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
]
const wide = [
  'A_word_without_any_space_'.repeat(200),
  `https://example.org/${'path'.repeat(200)}`,
  `\`${'code'.repeat(200)}\`\n\n\`\`\`\n${'wide '.repeat(200)}\n\`\`\``,
  `${'a wide column | '.repeat(60)}\n${'-|'.repeat(60)}\n${'word'.repeat(200)} | b`,
  `${'> '.repeat(18)}${'deep'.repeat(50)}`,
  '- - - - - - - - - deep\n\n999999999. number',
  `# ${'Heading'.repeat(50)}`,
  `Z${'\u0301\u0489'.repeat(300)}algo \u202e${'right to left '.repeat(20)}`,
]

let browser: Browser
let alice: TestUser

before(async () => {
  if (skip) return
  browser = await openBrowser()
  alice = await signUp()
})
after(() => browser?.[Symbol.asyncDispose]())

/** A page with these comments, each an answer to the previous one. */
async function newPage(contents: string[]) {
  const { figure } = await newPlace(alice.api)
  const { api_id } = await newRevision(alice.api, figure.api_id)
  let answered: string | undefined
  for (const [i, content] of contents.entries()) {
    const parent = i % 8 === 0 ? undefined : answered
    answered = (await newComment(alice.api, 'figure_revision', api_id, content, parent)).id
  }
  return new URL(`/r/${api_id}`, deployment.origin)
}

test('hostile comments run and load nothing, and their links lead only to other sites', {
  skip,
}, async () => {
  await using elsewhere = await startOtherSite()
  const hostile = hostileComments(elsewhere.url.href)
  const url = await newPage(hostile)
  await browser.use(async (person) => {
    await person.go(url)
    assert.deepEqual(person.problems, [])
    assert.equal(elsewhere.requests.join(), '')
    assert.equal(await person.read('location.href'), url.href)
    assert.equal(
      await person.read(`document.querySelectorAll('.comments > li').length`),
      hostile.length,
    )
    const scripts = `document.querySelectorAll('.comments :is(script, img, iframe, svg), [onerror], [onload]').length`
    assert.equal(await person.read(scripts), 0)
    const protocols = `[...new Set([...document.querySelectorAll('.comments a[href]')].map((a) => a.protocol))].join()`
    assert.equal(await person.read(protocols), 'http:')
    const rest = `[...document.querySelectorAll('.comments [href], .comments [src]')].filter((one) => one.localName !== 'a').length`
    assert.equal(await person.read(rest), 0)

    // The listeners would detect all of that.
    await person.go(elsewhere.url)
    assert.match(person.problems.join(), /dialog: .*"message":"1"/)
    assert.match(elsewhere.requests.join(), /\/picture\.png/)
  }, alice.api.authorization)
})

test('comments do not make a page wider than a small phone', { skip }, async () => {
  const url = await newPage(wide)
  const { authorization } = alice.api
  const visit = await browser.visit(url, { width: 360, height: 740, authorization })
  assert.deepEqual(visit.problems, [])
  assert.ok(visit.scrollWidth <= 360, `${visit.scrollWidth} pixels wide`)
})
