import { notFound } from '../failure.js'
import { note, printTable, show } from '../output.js'
import { readProfiles, writeProfiles } from '../profiles.js'

/** Never with their keys. */
export async function listProfiles({ json }: { json?: boolean }): Promise<void> {
  const { current, profiles } = await readProfiles()
  const shown = Object.entries(profiles).map(([name, { url, workspace }]) => ({
    name,
    url,
    workspace: workspace ?? null,
    current: name === current,
  }))
  show(json, shown, () => {
    if (shown.length === 0) note('No profiles. Sign in with: figbase login --url https://…')
    printTable(shown.map((one) => [one.current ? '*' : ' ', one.name, one.url, one.workspace]))
  })
}

export async function useProfile(name: string): Promise<void> {
  const { profiles } = await readProfiles()
  if (!Object.hasOwn(profiles, name)) throw notFound(`There is no profile ${name}`)
  await writeProfiles({ current: name, profiles })
}
