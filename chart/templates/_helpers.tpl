{{/* The name of all that belongs to a release. */}}
{{- define "restock.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "restock.tag" -}}
{{- .Values.image.tag | default .Chart.AppVersion -}}
{{- end -}}

{{/* What tells the service's pods from others. */}}
{{- define "restock.selector" -}}
app.kubernetes.io/name: restock
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end -}}

{{- define "restock.labels" -}}
app.kubernetes.io/name: restock
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ include "restock.tag" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The host of the public address. */}}
{{- define "restock.host" -}}
{{- (urlParse .Values.publicUrl).hostname -}}
{{- end -}}

{{/* The end by force, as the service counts it: eight seconds after it accepts no more calls, at the earliest. */}}
{{- define "restock.forceSeconds" -}}
{{- max (int .Values.shutdown.forceSeconds) (add (int .Values.shutdown.readySeconds) 8) -}}
{{- end -}}

{{/* A pod that may change nothing. */}}
{{- define "restock.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "restock.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "restock.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (include "restock.tag" .) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{- define "restock.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Variables that the service and the deployment of the tables share. `secret` has the credentials of the database. */}}
{{- define "restock.env" -}}
{{- $values := .root.Values -}}
{{- range $name, $key := $values.database.keys }}
- name: CDS_REQUIRES_DB_CREDENTIALS_{{ upper $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.secret }}
      key: {{ $key }}
{{- end }}
- name: CDS_REQUIRES_DB_CREDENTIALS_SSL
  value: 'true'
{{- if $values.database.caKey }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/restock/database-ca/ca.pem
{{- end }}
- name: RESTOCK_PUBLIC_URL
  value: {{ $values.publicUrl | quote }}
{{- if not $values.state.existingClaim }}
- name: RESTOCK_AUDIT_ANCHOR_FILE
  value: 'off'
{{- end }}
- name: RESTOCK_SHUTDOWN_READY_SECONDS
  value: {{ $values.shutdown.readySeconds | quote }}
- name: RESTOCK_SHUTDOWN_FORCE_SECONDS
  value: {{ $values.shutdown.forceSeconds | quote }}
{{- range $name, $value := $values.settings }}
- name: {{ $name }}
  value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end }}
{{- end -}}

{{- define "restock.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.database.caKey }}
- name: database-ca
  mountPath: /etc/restock/database-ca
  readOnly: true
{{- end }}
{{- end -}}

{{- define "restock.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if .Values.database.caKey }}
- name: database-ca
  secret:
    secretName: {{ .Values.database.existingSecret }}
    items:
      - key: {{ .Values.database.caKey }}
        path: ca.pem
{{- end }}
{{- end -}}
