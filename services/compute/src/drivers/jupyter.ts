import type { RunSpec } from './port.js'

/** Where a notebook server finds its directories. */
export type NotebookPaths = { home: string; temporary: string }

/** The options of Notebook 6, and those of its successors: JupyterLab, Notebook 7. */
export type JupyterGeneration = 'NotebookApp' | 'ServerApp'

/** `listen`: options that say where it listens. */
export const jupyterCommand = (
  program: string,
  generation: JupyterGeneration,
  { basePath }: RunSpec,
  { home }: NotebookPaths,
  listen: Record<string, string>,
): string[] => {
  const options = {
    ...listen,
    base_url: basePath,
    [generation === 'NotebookApp' ? 'notebook_dir' : 'root_dir']: home,
    // The proxy in front of it checks the host and the origin.
    allow_remote_access: 'True',
    quit_button: 'False',
  }
  const words = Object.entries(options).map(([name, value]) => `--${generation}.${name}=${value}`)
  return [program, '--no-browser', ...words]
}

/** The variables of the notebook server, without its `PATH`. */
export function jupyterEnvironment(
  { environment, token, vcpu }: RunSpec,
  { home, temporary }: NotebookPaths,
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    HOME: home,
    SHELL: '/bin/bash',
    TMPDIR: temporary,
    JUPYTER_RUNTIME_DIR: `${temporary}/jupyter`,
    JUPYTER_TOKEN: token,
    // Libraries would start a thread for each processor of the machine.
    OMP_NUM_THREADS: `${Math.ceil(vcpu)}`,
    ...environment,
  }
}

/** What a notebook server says of itself. */
export type JupyterState = { kernels: number; busyKernels: number; lastActivityAt: Date }

const timeoutMs = 2000

/** The API of a notebook server at `url`, which ends with its base path. */
export function jupyterApi(url: string, token: string) {
  const request = async (path: string, method = 'GET') => {
    const response = await fetch(`${url}api/${path}`, {
      method,
      headers: { authorization: `token ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`the notebook server responded with ${response.status}`)
    return response
  }
  return {
    /** Throws unless the server answers as it should. */
    async state(): Promise<JupyterState> {
      const [status, kernels] = await Promise.all(
        // Otherwise these requests would count as activity.
        ['status', 'kernels'].map(async (path) =>
          (await request(`${path}?no_track_activity=1`)).json(),
        ),
      )
      const all = kernels as { execution_state?: unknown; last_activity: string }[]
      return {
        kernels: all.length,
        busyKernels: all.filter((kernel) => kernel.execution_state === 'busy').length,
        lastActivityAt: new Date((status as { last_activity: string }).last_activity),
      }
    },
    /** Ends kernels and server in order. */
    shutDown: () => request('shutdown', 'POST'),
  }
}
