// This file holds the part of SARIF 2.1.0 that plumb writes, in the words of
// the standard where it matters: the json names.

package render

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool                `json:"tool"`
	Invocations []sarifInvocation        `json:"invocations"`
	BaseIDs     map[string]sarifArtifact `json:"originalUriBaseIds,omitempty"`
	Taxonomies  []sarifComponent         `json:"taxonomies"`
	ColumnKind  string                   `json:"columnKind"`
	Results     []sarifResult            `json:"results"`
}

type sarifTool struct {
	Driver sarifComponent `json:"driver"`
}

// A sarifComponent is the tool or a taxonomy.
type sarifComponent struct {
	Name    string           `json:"name"`
	Org     string           `json:"organization,omitempty"`
	Version string           `json:"version,omitempty"`
	InfoURI string           `json:"informationUri,omitempty"`
	Short   *sarifMessage    `json:"shortDescription,omitempty"`
	Rules   []sarifRule      `json:"rules,omitempty"`
	Taxa    []sarifRule      `json:"taxa,omitempty"`
	Uses    []sarifReference `json:"supportedTaxonomies,omitempty"`
}

// A sarifRule is a rule or a member of a taxonomy.
type sarifRule struct {
	ID            string              `json:"id"`
	Short         *sarifMessage       `json:"shortDescription,omitempty"`
	HelpURI       string              `json:"helpUri,omitempty"`
	Config        *sarifConfig        `json:"defaultConfiguration,omitempty"`
	Relationships []sarifRelationship `json:"relationships,omitempty"`
	Properties    *sarifProperties    `json:"properties,omitempty"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifRelationship struct {
	Target sarifReference `json:"target"`
	Kinds  []string       `json:"kinds"`
}

// A sarifReference names a component, or something in one.
type sarifReference struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Index     *int            `json:"index,omitempty"`
	Component *sarifReference `json:"toolComponent,omitempty"`
}

type sarifProperties struct {
	Tags       []string `json:"tags,omitempty"`
	Confidence string   `json:"confidence,omitempty"`
	Why        []string `json:"why,omitempty"`
	When       []string `json:"when,omitempty"`
	GaveUp     []string `json:"gaveUp,omitempty"`

	Fix      string `json:"fix,omitempty"`
	NotFixed string `json:"notFixed,omitempty"`

	Run *sarifRunProperties `json:"run,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Dir           *sarifArtifact      `json:"workingDirectory,omitempty"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Rank         float64           `json:"rank"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Flows        []sarifFlow       `json:"codeFlows,omitempty"`
	Stacks       []sarifStack      `json:"stacks,omitempty"`
	Fixes        []sarifFix        `json:"fixes,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Taxa         []sarifReference  `json:"taxa"`
	Properties   *sarifProperties  `json:"properties,omitempty"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
	Col  int `json:"startColumn,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifFlow struct {
	Threads []sarifThread `json:"threadFlows"`
}

type sarifThread struct {
	Steps []sarifFlowStep `json:"locations"`
}

type sarifFlowStep struct {
	Location sarifLocation `json:"location"`
	Nesting  int           `json:"nestingLevel,omitempty"`
}
