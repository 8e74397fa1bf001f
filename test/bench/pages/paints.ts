import { setTimeout as sleep } from 'node:timers/promises'
import { type Loaded, openBrowser, type Person } from '@figbase/kit/testing/chromium'
import { median } from '../measure.js'
import type { Place } from './place.js'

/** A page in a browser on a slow phone. */
export type PagePaint = Loaded & { title: string }

const rounds = 3
const phone = { width: 360, height: 740 }

const pagesOf = ({ workspace, analysis, figure, revision }: Place): Record<string, string> => ({
  home: '/',
  'a workspace': `/workspace/${workspace}/`,
  'an analysis': `/analysis/${analysis}/`,
  'a figure': `/figure/${figure}/`,
  'a revision': `/r/${revision}/`,
  search: '/search/?q=Figure',
  account: '/account/',
  usage: '/account/usage/',
  'sign-in': '/sign-in/',
  'the guide': '/docs/publishing/',
})

/** Loads pages as on a slow phone that has never seen them: what is received, and when something is shown. */
export async function measurePaints(origin: string, place: Place): Promise<PagePaint[]> {
  await using browser = await openBrowser()
  const paints: PagePaint[] = []
  for (const [title, path] of Object.entries(pagesOf(place))) {
    const loads: Loaded[] = []
    for (let round = 0; round < rounds; round++) {
      loads.push(
        await browser.use(
          (person) => load(person, new URL(path, origin)),
          place.headers.authorization,
        ),
      )
    }
    const firstPaintMs = median(loads.map((one) => one.firstPaintMs))
    const [first] = loads
    if (first) paints.push({ ...first, title, firstPaintMs })
  }
  return paints
}

async function load(person: Person, url: URL): Promise<Loaded> {
  await person.resize(phone)
  await person.slowDown()
  await person.go(url)
  for (;;) {
    const loaded = await person.loaded()
    if (loaded) return loaded
    await sleep(50)
  }
}
