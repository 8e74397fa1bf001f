import { notFound } from '../failure.js'
import { printLine, show } from '../output.js'
import { readProfiles, writeProfiles } from '../profiles.js'
import { plain } from '../text.js'

/** Forgets a key. An API key cannot delete keys, so this one goes on working until its user deletes it. */
export async function logout(options: { profile?: string; json?: boolean }): Promise<void> {
  const { current, profiles } = await readProfiles()
  const name = options.profile ?? current
  if (name === undefined || !Object.hasOwn(profiles, name)) {
    throw notFound(name === undefined ? 'Not signed in' : `There is no profile ${name}`)
  }
  const { [name]: removed, ...others } = profiles
  await writeProfiles({
    ...(current !== undefined && current !== name && { current }),
    profiles: others,
  })
  show(options.json, { profile: name }, () =>
    printLine(
      `Removed the profile ${plain(name)}. To end its key, delete it at ${plain(removed?.url ?? '')}`,
    ),
  )
}
