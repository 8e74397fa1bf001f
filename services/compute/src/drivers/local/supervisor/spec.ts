import type { RunSpec } from '../../port.js'
import type { Confinement } from '../start-entry.js'

/** What the driver gives to the supervisor of a run. */
export type SupervisorSpec = {
  run: RunSpec
  /** The directory of all instances. */
  root: string
  /** An object, because JSON has no undefined. */
  confinement: Confinement | null
  jupyterPath: string
  processesMax: number
}
