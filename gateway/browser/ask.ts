// Shows the answer to a question while it is written.
import { EventSourceParserStream } from 'eventsource-parser/stream'

const form = document.querySelector<HTMLFormElement>('form[data-stream]')
const answer = document.querySelector<HTMLElement>('#answer')

type Data = { text?: string; html?: string }

/** The data of each event of a stream of server-sent events. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Data> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    yield JSON.parse(next.value.data)
  }
}

/** The last event has the whole answer as HTML of this site, or the problem. */
async function show(stream: ReadableStream<Uint8Array>, at: HTMLElement) {
  const written = document.createElement('p')
  written.className = 'words preview'
  at.replaceChildren(written)
  let isWhole = false
  for await (const { text = '', html } of eventsOf(stream)) {
    written.append(text)
    if (html === undefined) continue
    at.innerHTML = html
    isWhole = true
  }
  if (!isWhole) throw new Error('the stream has broken')
}

function fail(form: HTMLFormElement, at: HTMLElement) {
  const problem = document.createElement('p')
  problem.className = 'problem'
  problem.textContent = form.dataset.failed ?? ''
  at.append(problem)
}

async function ask(form: HTMLFormElement, at: HTMLElement) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  const response = await fetch(form.dataset.stream ?? '', { method: 'POST', body })
  if (response.ok && response.body) await show(response.body, at)
  // The page then says what is wrong.
  else form.submit()
}

if (form && answer) {
  const button = form.querySelector('button')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button) button.disabled = true
    answer.ariaBusy = 'true'
    await ask(form, answer).catch(() => fail(form, answer))
    answer.ariaBusy = 'false'
    if (button) button.disabled = false
  })
}
