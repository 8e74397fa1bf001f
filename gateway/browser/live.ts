// Replaces parts of a page when others have changed them, and says so. Only while the page is visible: a browser has few
// connections to one site.
import { replaceContent } from './replace-content.js'
import { showTimes } from './times.js'

type Part = HTMLElement & { dataset: { event: string; object: string; news: string } }

const parts = [...document.querySelectorAll('[data-event]')] as Part[]
const events = new Set(parts.map(({ dataset }) => dataset.event))
/** Several events at once cost one request. */
const delayMs = 300

let source: EventSource | undefined
/** When the parts were requested. */
let readAt = 0
let isRefreshing = false
let isDue = false
const news = document.createElement('p')

if (parts.length > 0) {
  news.className = 'news'
  news.role = 'status'
  document.body.append(news)
  if (!document.hidden) follow()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return source?.close()
    follow()
  })
}

/** Also the events since the parts were requested. */
function follow() {
  source = new EventSource(`/events/?past_ms=${Math.ceil(performance.now() - readAt)}`)
  source.addEventListener('begun', ({ data }) => {
    if (JSON.parse(data).has_gap) void refresh()
  })
  for (const name of events) {
    source.addEventListener(name, ({ data }) => {
      const ids = Object.values(JSON.parse(data))
      if (parts.some(({ dataset }) => dataset.event === name && ids.includes(dataset.object))) {
        void refresh()
      }
    })
  }
}

async function refresh(): Promise<void> {
  isDue = true
  if (isRefreshing) return
  isRefreshing = true
  while (isDue) {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    isDue = false
    await replaceParts().catch(() => {})
  }
  isRefreshing = false
}

async function replaceParts() {
  const requestedAt = performance.now()
  const response = await fetch(location.href)
  if (!response.ok) return
  readAt = requestedAt
  for (const part of await replacePartsBy(response)) tell(part)
}

/** Returns those that have changed. */
async function replacePartsBy(response: Response): Promise<Part[]> {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  showTimes(page)
  return parts.filter((part) => {
    const fresh = page.getElementById(part.id)
    return fresh && replaceContent(part, fresh)
  })
}

/** A reaction is sent without loading the page again: the answer is that page. */
document.addEventListener('submit', async (event) => {
  const form = event.target as HTMLFormElement
  if (parts.length === 0 || !form.matches('.reactions')) return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form, event.submitter) as never)
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => undefined)
  if (response?.ok) await replacePartsBy(response)
  else location.reload()
})

function tell({ id, dataset }: Part) {
  const link = document.createElement('a')
  link.href = `#${id}`
  link.textContent = dataset.news
  link.addEventListener('click', () => news.replaceChildren())
  news.replaceChildren(link)
}
