import { join } from 'node:path'
import { jupyterCommand, jupyterEnvironment, type NotebookPaths } from '../../jupyter.js'
import { home, socketDirectory } from '../bubblewrap.js'
import { figbaseAddress } from '../gf-url.js'
import { figbaseSocket, type InstanceDirectory, notebookSocket } from '../instance-directory.js'
import type { Entry } from '../start-entry.js'
import { serveFigbase, serveNotebook } from './forward.js'
import type { SupervisorSpec } from './spec.js'

/** Starts the notebook server in its confinement, and both ways through it; returns the URL of its origin. */
export async function startNotebook(
  { run, confinement, jupyterPath, processesMax }: SupervisorSpec,
  directory: InstanceDirectory,
  entry: Entry,
): Promise<string> {
  const figbase = figbaseAddress(run.environment.GF_URL ?? '')
  const paths = confinement ? confinedPaths : unconfinedPaths(directory)
  const address = await serveNotebook(join(directory.run, notebookSocket))
  if (confinement) await serveFigbase(directory.figbase, figbaseSocket, figbase)
  entry.release({
    command: jupyterCommand(jupyterPath, 'NotebookApp', run, paths, { sock: paths.socket }),
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...jupyterEnvironment(run, paths),
      ...(confinement && { GF_URL: figbase.innerUrl }),
    },
    cwd: paths.home,
    port: figbase.innerPort,
    vcpu: Math.max(1, Math.ceil(run.vcpu)),
    limits: {
      memoryBytes: run.memoryBytes,
      fileBytes: run.volumeBytesMax,
      processes: processesMax,
    },
  })
  return address
}

type LocalPaths = NotebookPaths & { socket: string }

const confinedPaths: LocalPaths = {
  home,
  temporary: '/tmp',
  socket: join(socketDirectory, notebookSocket),
}

const unconfinedPaths = ({ volume, temporary, run }: InstanceDirectory): LocalPaths => ({
  home: volume,
  temporary,
  socket: join(run, notebookSocket),
})
