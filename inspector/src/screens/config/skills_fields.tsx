// The form of a set of skills: the places they come from.
import { Icon } from "../../parts/icon.js";
import { newSource, type SkillsForm, type SourceForm } from "../../state/config_form.js";
import { Texts } from "./field_lists.js";
import { TextRow } from "./fields.js";

export interface SkillsFieldsProps {
  readonly form: SkillsForm;
  readonly onChange: (form: SkillsForm) => void;
  readonly faultAt: (field: string) => string | undefined;
}

const places = ["github", "git", "local"];

export function SkillsFields({ form, onChange, faultAt }: SkillsFieldsProps) {
  const { sources } = form;
  const set = (sources: readonly SourceForm[]) => onChange({ ...form, sources });
  return (
    <div class="form">
      {sources.length === 0 && <p class="quiet">It has no source, and so no skills.</p>}
      {sources.map((source, at) => {
        const change = (members: Partial<SourceForm>) =>
          set(sources.map((old, index) => (index === at ? { ...old, ...members } : old)));
        return (
          <fieldset key={at} class="config-set config-source">
            <legend>Source {at + 1}</legend>
            <TextRow
              label="Kind of place"
              options={places}
              help="Such as github, git or local."
              value={source.type}
              fault={faultAt(`sources[${at}].type`)}
              onChange={(type) => change({ type })}
            />
            <TextRow
              label="Source"
              help="A repository, an address or a path."
              placeholder="owner/repository"
              value={source.source}
              fault={faultAt(`sources[${at}].source`)}
              onChange={(value) => change({ source: value })}
            />
            <TextRow label="Ref" help="The branch, tag or commit." value={source.ref} onChange={(ref) => change({ ref })} />
            <TextRow
              label="Subpath"
              help="Where in it the skills are."
              value={source.subpath}
              onChange={(subpath) => change({ subpath })}
            />
            <Texts
              legend="Skills"
              one="skill"
              help="Which of its skills; without any, all of them."
              texts={source.skills}
              onChange={(skills) => change({ skills })}
            />
            <button type="button" class="link-button" onClick={() => set(sources.filter((_, index) => index !== at))}>
              <Icon name="close" /> Remove source {at + 1}
            </button>
          </fieldset>
        );
      })}
      <div>
        <button type="button" class="button" onClick={() => set([...sources, newSource])}>
          <Icon name="new" /> Add source
        </button>
      </div>
    </div>
  );
}
