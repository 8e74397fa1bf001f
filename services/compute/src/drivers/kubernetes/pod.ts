import { jupyterCommand, jupyterEnvironment } from '../jupyter.js'
import type { RunSpec } from '../port.js'
import { starterName } from '../starter-notebook.js'
import {
  basePathAnnotation,
  containerName,
  instanceName,
  labelsOf,
  runName,
  starterKey,
  startGate,
  variableKey,
} from './names.js'
import type { Manifest } from './objects.js'
import type { KubernetesSettings } from './settings.js'

const home = '/home/notebook'
const temporary = '/tmp'
const starterDirectory = '/run/figbase'
const paths = { home, temporary }
/** Of the log of the container, which Kubernetes counts, too. */
const logBytesMax = 256 * 2 ** 20
/** Until a notebook server that was asked to end is killed. */
const graceSeconds = 10

/** A new volume gets a first notebook; then the notebook server takes the place of the shell. */
const entry = `[ -n "$(ls -A "$HOME" | grep -vx lost+found)" ] || cp ${starterDirectory}/${starterName} "$HOME/" || :
exec "$@"`

/** The pod of a run, which does not begin before its gate is removed. `owner` is the record of the instance. */
export function podOf(
  spec: RunSpec,
  settings: KubernetesSettings,
  owner?: { name: string; uid: string },
): Manifest<'Pod'> {
  const { instanceId, runId } = spec
  const { uid, image, imagePullSecret, port } = settings
  return {
    kind: 'Pod',
    metadata: {
      name: instanceName(instanceId),
      labels: labelsOf(instanceId, runId),
      annotations: { [basePathAnnotation]: spec.basePath },
      ...(owner && { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', ...owner }] }),
    },
    spec: {
      schedulingGates: [{ name: startGate }],
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: graceSeconds,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: uid,
        runAsGroup: uid,
        fsGroup: uid,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(imagePullSecret && { imagePullSecrets: [{ name: imagePullSecret }] }),
      containers: [
        {
          name: containerName,
          image,
          command: ['/bin/sh', '-c', entry, 'notebook'],
          args: jupyterCommand(settings.jupyterPath, 'ServerApp', spec, paths, {
            ip: '*',
            port: `${port}`,
            port_retries: '0',
          }),
          workingDir: home,
          env: Object.keys(variablesOf(spec)).map((name) => ({
            name,
            valueFrom: { secretKeyRef: { name: runName(runId), key: variableKey(name) } },
          })),
          ports: [{ name: 'http', containerPort: port }],
          resources: resourcesOf(spec, settings),
          readinessProbe: { tcpSocket: { port }, periodSeconds: 2, timeoutSeconds: 1 },
          // Its last lines tell why it ended.
          terminationMessagePolicy: 'FallbackToLogsOnError',
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [
            { name: 'home', mountPath: home },
            { name: 'temporary', mountPath: temporary },
            { name: 'starter', mountPath: starterDirectory, readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'home', persistentVolumeClaim: { claimName: instanceName(instanceId) } },
        { name: 'temporary', emptyDir: { sizeLimit: `${settings.temporaryBytesMax}` } },
        {
          name: 'starter',
          secret: {
            secretName: runName(runId),
            items: [{ key: starterKey, path: starterName }],
          },
        },
      ],
    },
  }
}

/** All variables of the notebook server but those of the image. They are in a secret. */
export const variablesOf = (spec: RunSpec): Record<string, string> =>
  jupyterEnvironment(spec, paths)

/** What is requested is the limit: a notebook never takes what another one was promised. */
function resourcesOf({ vcpu, memoryBytes }: RunSpec, { temporaryBytesMax }: KubernetesSettings) {
  const amounts = {
    cpu: `${Math.round(vcpu * 1000)}m`,
    memory: `${memoryBytes}`,
    'ephemeral-storage': `${temporaryBytesMax + logBytesMax}`,
  }
  return { requests: amounts, limits: amounts }
}
