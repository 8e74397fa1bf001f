import { type CommonOptions, connect } from '../connection.js'
import { printTable, show } from '../output.js'
import { userOf } from '../user.js'

export async function whoami(options: CommonOptions): Promise<void> {
  const { figbase, workspace } = await connect(options)
  const { username, first_name, last_name, email } = await userOf(figbase)
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const shown = { username, name, email, url: figbase.url, workspace: workspace ?? null }
  show(options.json, shown, () =>
    printTable(Object.entries(shown).filter(([, value]) => value !== null && value !== '')),
  )
}
