import { openInBrowser } from '../browser.js'
import { type CommonOptions, connect } from '../connection.js'
import { printLine, show } from '../output.js'
import { pageOf } from '../pages.js'
import { resolve } from '../reference.js'
import { plain } from '../text.js'

type Options = CommonOptions & { browser: boolean }

/** Opens the page of an object in the browser. Prints its address, too: the machine may have no browser. */
export async function openPage(text: string, options: Options): Promise<void> {
  const connection = await connect(options)
  const url = pageOf(connection.figbase, await resolve(connection, text))
  show(options.json, { url }, () => printLine(plain(url)))
  if (!options.browser) return
  await openInBrowser(url)
}
