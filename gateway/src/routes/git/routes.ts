import type { Endpoint } from '../../endpoint.js'
import { imports } from './imports.js'
import { ofTarget } from './of-target.js'
import { push } from './push.js'
import { repository } from './repository.js'

export const gitRepositories: Endpoint[] = [...ofTarget, ...repository, ...imports, push]
