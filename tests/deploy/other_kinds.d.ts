// Kinds that Kubernetes itself does not have, with the fields their own projects document. Parts of them are Kubernetes' types.
import type { IObjectMeta } from "@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta";
import type { IPersistentVolumeClaimSpec } from "kubernetes-models/v1/PersistentVolumeClaimSpec";
import type { IPodSpec } from "kubernetes-models/v1/PodSpec";

interface PodMetadata {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

// The agent-sandbox project, api/v1beta1.
export interface Sandbox {
  apiVersion: "agents.x-k8s.io/v1beta1";
  kind: "Sandbox";
  metadata: IObjectMeta;
  spec: {
    podTemplate: { metadata?: PodMetadata; spec: IPodSpec };
    volumeClaimTemplates?: { metadata?: PodMetadata & { name?: string }; spec: IPersistentVolumeClaimSpec }[];
    service?: boolean;
    operatingMode?: "Running" | "Suspended";
    shutdownTime?: string;
    shutdownPolicy?: "Delete" | "Retain";
  };
}

// As much of it as is used here.
export interface Kustomization {
  apiVersion: "kustomize.config.k8s.io/v1beta1";
  kind: "Kustomization";
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
}
