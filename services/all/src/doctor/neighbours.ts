import {
  askNeighbour,
  internalKeyPurpose,
  type NeighbourName,
  readKeys,
  readNeighbourSettings,
  readSettings,
} from '@figbase/kit'
import { CatalogService } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { IdentityService } from '@figbase/proto/identity'
import { RevisionsService } from '@figbase/proto/revisions'
import { TasksService } from '@figbase/proto/tasks'
import { type Finding, ok, problem, reasonOf, warning } from './finding.js'

type Check = [setting: string, check: () => Promise<Finding>]

const neighbours = {
  identity: IdentityService,
  catalog: CatalogService,
  revisions: RevisionsService,
  comments: CommentsService,
  tasks: TasksService,
} satisfies Record<NeighbourName, unknown>

/** Each address of a service, asked as its callers ask it; none where all run in one process. */
export function neighbourChecks(env: NodeJS.ProcessEnv, timeoutMs: number): Check[] {
  // Without a secret it is another one than theirs.
  const own = { ...env, FIGBASE_SECRET_KEY: env.FIGBASE_SECRET_KEY || 'none' }
  const { keys, calls, urls } = readSettings(own, (reader) => ({
    keys: readKeys(reader).derive(internalKeyPurpose),
    ...readNeighbourSettings(reader),
  }))
  return Object.entries(neighbours).flatMap(([name, service]) => {
    const setting = `${name.toUpperCase()}_URL`
    const check = async (url: string): Promise<Finding> => {
      try {
        const state = await askNeighbour(service, url, { keys, calls, timeoutMs })
        return findings[state](setting, url)
      } catch (error) {
        // Before a first start that is as it should be.
        return warning(setting, `${url}: ${reasonOf(error)}`, 'Start it, or mend the address.')
      }
    }
    return (urls[name] ?? []).map((url): Check => [setting, () => check(url)])
  })
}

const findings = {
  serving: (setting: string, url: string) => ok(setting, `${url} answers`),
  'not ready': (setting: string, url: string) =>
    warning(setting, `${url} is not ready`, 'Its /readyz says what it lacks.'),
  'another service': (setting: string, url: string) =>
    problem(setting, `${url} is another service`, 'Mend the address.'),
  'another secret': (setting: string, url: string) =>
    problem(
      setting,
      `${url} takes nothing that is signed with this FIGBASE_SECRET_KEY`,
      'Give all processes the same.',
    ),
}
